"""Records of random apps as JSON lines, few of them more than flat objects of plain texts."""

import json

# What another writer escapes though it need not.
NEEDLESS = {b"/"[0]: b"\\/", b"a"[0]: b"\\u0061"}


def text(app, value):
    """Bytes as a string, those of no UTF-8 too."""
    # Where an object's key is what stands in the line, and not what it means.
    if value.isascii() and (value in app.spelled or app.chance(4)):
        return json.dumps(value.decode()).encode().replace(b"/", b"\\/")
    marks = NEEDLESS if app.chance(1) else {}
    return b'"' + b"".join(
        b"\\" + bytes([byte]) if byte in b'"\\' else b"\\u%04x" % byte if byte < 0x20
        else marks.get(byte, bytes([byte])) for byte in value) + b'"'


def number(app, value):
    """Digits as a number, mostly."""
    plain = value.isdigit() and str(int(value)).encode() == value
    return value if plain and app.chance(80) else text(app, value)


def members(app, row):
    """The names and values of a record as JSON, in any order."""
    found = []
    for name, value in row.items():
        if not value and name != "images":
            form = app.pick(["none", "none", "null", "text"])
            if form != "none":
                found.append((name, b"null" if form == "null" else b'""'))
        elif name == "images" and value:
            # As it is, or as a text that holds JSON.
            found.append((name, value if app.chance(85) else text(app, value)))
        elif name == "_deleted":
            found.append((name, {b"0": b"false"}.get(value, value) if app.chance(60)
                          else text(app, value)))
        elif name in ("id", "key", "_version", "updatedAt", "title"):
            found.append((name, number(app, value)))
        elif value:
            found.append((name, text(app, value)))
    if "_deleted" not in dict(found) and app.chance(50):
        found.append(("_deleted", b"false"))
    if app.chance(40):
        found.append(("likes", app.pick([b"7", b"-3", b"0", b"1.5", b"2.50", b"1e3", b"-0",
                                         b"12345678901234567890", b"true", b"0.0001"])))
    if app.chance(6):
        found.append(("nested", app.pick([b'{"a":{"b":"c"}}', b"[1,2]", b"[]", b'["x", "y"]',
                                          b'[["z"]]', b'{"k":' + text(app, row["note"]) + b"}"])))
    # A key that perhaps nothing else tells of: no record's value is its end.
    held = tuple(other["key"] for other in app.rows if other["key"])
    names = [key for key in sorted(app.objects) if not key.endswith(held) and b"." in key
             and all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in key)]
    if names and app.chance(5):
        found.append((app.pick(names).decode(), b"1"))
    if app.fault(2):
        found.append(app.pick(found))
    app.random.shuffle(found)
    return found


def write(app, path, end):
    """Writes the records of an app."""
    with open(path, "wb") as file:
        for row in app.rows:
            comma, colon = app.pick([(b",", b":"), (b", ", b": "), (b" , ", b" :")])
            file.write(b"{" + comma.join(
                b'"' + name.encode() + b'"' + colon + value
                for name, value in members(app, row)) + b"}" + end)
            if app.chance(2):
                file.write(end)
        if app.fault(15):
            file.write(app.pick([b'{"id":"x","key":', b"no JSON", b'{"id":"1",}',
                                 b'{"id":"1"} {"id":"2"}', b'{"id":tru}', b'{"id":"1" "key":"2"}'])
                       + end)
