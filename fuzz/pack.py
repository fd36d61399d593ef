#!/usr/bin/env python3
"""Lists the pieces of a result file that are not 0, as fuzz_result.c reads them. Of pages that belong
to no header or index, only the beginning: numbers have no structure that a reader could stumble on.
usage: fuzz/pack.py RESULT.h5 PACKED"""
import re
import sys

PAGE, NUMBERS = 4096, 256
STRUCTURE = (b"\x89HDF", b"OHDR", b"OCHK", b"EAHD", b"EAIB", b"EASB", b"EADB", b"FAHD", b"FADB", b"FRHP", b"FHDB",
             b"FHIB", b"BTHD", b"BTIN", b"BTLF", b"FSHD", b"FSSE", b"GCOL")

data = open(sys.argv[1], "rb").read()
with open(sys.argv[2], "wb") as out:
    def write(first, part):
        out.write(first.to_bytes(3, "little") + len(part).to_bytes(2, "little") + part)

    for page in range(0, len(data), PAGE):
        held = data[page : page + PAGE]
        if not any(mark in held for mark in STRUCTURE):
            held = held[:NUMBERS]
        for piece in re.finditer(rb"[^\0](?:\0{0,7}[^\0])*", held):
            write(page + piece.start(), piece.group())
    write(len(data) - 1, data[-1:])  # the file is as long as it was
