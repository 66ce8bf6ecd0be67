"""The rows in a page of `replay --timeline`."""

import base64
import gzip
import json
import re


def timeline_rows(page):
    packed = re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed, validate=True)))
