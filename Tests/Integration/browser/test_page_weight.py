"""Requests and bytes of a visit."""

ENTRIES = """
  return [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .map(({ name, encodedBodySize, transferSize }) => ({ path: new URL(name).pathname, encodedBodySize, transferSize }));
"""


def is_file(entry):
    """Whether it is a file of the page, not a list of rooms or a stream."""
    return not entry["path"].startswith(("/rooms", "/commands"))


def test_a_first_visit_takes_few_requests_and_a_second_hardly_any(phone, room):
    phone.forget_files()
    phone.open(room)
    room.show(count=1)
    phone.wait_stage("a gift", lambda stage: stage["gifts"])
    first = phone.js(ENTRIES)
    files = [entry for entry in first if is_file(entry)]
    # On a slow machine the list of rooms is asked for again meanwhile.
    assert len(files) + len({entry["path"] for entry in first if not is_file(entry)}) <= 8, first
    assert {"/"} < {entry["path"] for entry in files}
    assert sum(entry["encodedBodySize"] for entry in files) <= 68 * 1024, files
    phone.open(room)
    # The browser doesn't even ask for what it keeps.
    again = [entry for entry in phone.js(ENTRIES) if is_file(entry) and entry["transferSize"] > 0]
    assert [entry["path"] for entry in again] == ["/"], again
    assert all(entry["transferSize"] < 1024 for entry in again), "and these are the same"
