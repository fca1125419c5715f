#!/usr/bin/env python3
"""Writes a folder of empty files like an app's bucket: three levels, 2,000 identities.

usage: generate.py FOLDER [FILES=1000000] [SEED=1]
"""
import os
import random
import sys

folder, files = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)


def uuid():
    text = "%032x" % draw.getrandbits(128)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


identities = ["eu-central-1:" + uuid() for _ in range(2_000)]
places = [level + "/" + identity for level in ("protected", "private") for identity in identities]
# Guests' files lie together; of the others each identity has about as many.
places += ["public/%02x" % index for index in range(256)]
for place in places:
    os.makedirs(os.path.join(folder, place))
for index in range(files):
    path = os.path.join(folder, places[index % len(places)], uuid() + ".jpg")
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
print(f"{files} files in {len(places)} folders")
