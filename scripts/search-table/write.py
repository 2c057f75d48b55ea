"""How does the table get into a file, and back?

Little endian: magic, JSON header, vocabulary, one f32 scale per row, rows as i8. Format shared with crates/holloway-search.
"""

import json
import struct

import numpy as np

MAGIC = b"HWTABLE1"


def write_table(path, tokens, rows, header):
    largest = np.abs(rows).max(1)
    scale = (np.maximum(largest, 1e-12) / 127).astype("<f4")
    small = np.clip(np.rint(rows / scale[:, None]), -127, 127).astype(np.int8)
    vocabulary = "\n".join(tokens).encode()
    header = json.dumps({"rows": len(tokens), "dimensions": rows.shape[1], **header}, sort_keys=True).encode()
    with open(path, "wb") as file:
        file.write(MAGIC)
        for part in (header, vocabulary):
            file.write(struct.pack("<I", len(part)) + part)
        file.write(scale.tobytes() + small.tobytes())


def read_table(path):
    """(header, tokens, rows as f32)"""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != MAGIC:
        raise ValueError(f"{path} is not a table: it does not begin with {MAGIC.decode()}")
    parts, offset = [], 8
    for _ in range(2):
        (length,) = struct.unpack_from("<I", data, offset)
        parts.append(data[offset + 4 : offset + 4 + length])
        offset += 4 + length
    header, tokens = json.loads(parts[0]), parts[1].decode().split("\n")
    number, dimensions = header["rows"], header["dimensions"]
    if len(tokens) != number or len(data) != offset + number * (4 + dimensions):
        raise ValueError(f"{path}: {len(tokens)} tokens and {len(data)} bytes do not fit {number} rows of {dimensions}")
    scale = np.frombuffer(data, "<f4", number, offset)
    rows = np.frombuffer(data, np.int8, number * dimensions, offset + 4 * number).reshape(number, dimensions)
    return header, tokens, scale[:, None] * rows.astype(np.float32)
