"""The rows in a page of `replay --timeline`."""

import base64
import gzip
import json
import re
from itertools import accumulate


def timeline_rows(page):
    packed = re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1]
    shared, names, rows = [], {}, []
    for more, *tables in json.loads(gzip.decompress(base64.b64decode(packed, validate=True))):
        shared += more
        for kind, heads, *columns in tables:
            for n in range(len(columns[0])):
                rows.append(row(kind, n, heads, columns, shared, names))
    return rows


def row(kind, n, heads, columns, shared, names):
    """A row as a dictionary. Values relative to the row's time stay as they are, since no test asks for them."""
    told = {"k": kind}
    for head, column in zip(heads, columns):
        name = head[1:]
        match head[0]:
            case "#": told[name] = list(accumulate(column[:n + 1]))[-1]
            case "$": told |= zip(name.split(","), shared[column[n]])
            case "@": told[name] = f"{names[told['p']]}/{sum(column[:2 * n + 1:2])}/{column[2 * n + 1]}"
            case _: told[name] = column[n]
    if kind == "p":
        names[told["p"]] = told["name"]
    return told
