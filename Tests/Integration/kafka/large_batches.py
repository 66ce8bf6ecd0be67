"""Batches that are small as sent and large unpacked, made without ever having them unpacked, and a request that sends
them."""

import itertools
import socket
import struct
import zlib

NONE, GZIP, SNAPPY, LZ4, ZSTD = range(5)
PRODUCE, VERSION = 0, 7


def _table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ 0x82F63B78 * (byte & 1)
        yield byte


TABLE = list(_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def varint(number):
    number = number << 1 ^ number >> 63
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def record(offset, key, before, count, after):
    """A record's pieces: bytes, or the number of letters A. Its value is `before`, so many A, `after`."""
    size = len(before) + count + len(after)
    start = b"\0" + varint(0) + varint(offset) + varint(len(key)) + key + varint(size) + before
    yield varint(len(start) + count + len(after) + 1) + start
    yield count
    yield after + varint(0)


def gzip(pieces):
    packer = zlib.compressobj(9, wbits=31)
    megabyte = b"A" * 1_000_000
    for piece in pieces:
        if isinstance(piece, bytes):
            yield packer.compress(piece)
            continue
        for start in range(0, piece, len(megabyte)):
            yield packer.compress(megabyte[:piece - start])
    yield packer.flush()


def zstd(pieces):
    """A frame that doesn't say its size, as of senders that stream: raw blocks, and blocks of one letter (RFC 8878)."""
    most = 131_072

    def block(kind, size, content, is_last=False):
        return struct.pack("<I", size << 3 | kind << 1 | is_last)[:3] + content

    yield bytes.fromhex("28b52ffd0060")
    for piece in pieces:
        if isinstance(piece, bytes):
            yield block(0, len(piece), piece)
            continue
        for start in range(0, piece, most):
            yield block(1, min(most, piece - start), b"A")
    yield block(0, 0, b"", is_last=True)


def lz4(pieces):
    """A frame of independent blocks of up to 4 MB, each a few letters and a repetition of the last of them."""
    most = 4_194_304
    yield bytes.fromhex("04224d18607073")

    def length(count):
        return b"\xff" * (count // 255) + bytes([count % 255]) if count >= 0 else b""

    def block(content):
        return struct.pack("<I", len(content)) + content

    for piece in pieces:
        if isinstance(piece, bytes):
            yield struct.pack("<I", len(piece) | 1 << 31) + piece
            continue
        for start in range(0, piece, most):
            size = min(most, piece - start)
            # One letter, then it again and again, and at last five letters, as the format wants it.
            again = size - 6
            yield block(b"\x1fA\x01\0" + length(again - 4 - 15) + b"\x50AAAAA")
    yield bytes(4)


def snappy(pieces):
    """A block for each piece, of one letter and copies of it, 64 letters each, in the frame that Java's client reads."""
    yield bytes.fromhex("82534e41505059000000000100000001")
    for piece in pieces:
        count = len(piece) if isinstance(piece, bytes) else piece
        size, rest = bytearray(), count
        while rest > 127:
            size.append(rest & 127 | 128)
            rest >>= 7
        size.append(rest)
        if isinstance(piece, bytes):
            # A literal of a length in two bytes.
            block = bytes(size) + b"\xf4" + struct.pack("<H", count - 1) + piece
        else:
            copies, last = divmod(count - 1, 64)
            block = bytes(size) + b"\0A" + b"\xfe\1\0" * copies + (bytes([last - 1 << 2 | 2, 1, 0]) if last else b"")
        yield struct.pack(">i", len(block)) + block


PACKED = {"gzip": (GZIP, gzip), "snappy": (SNAPPY, snappy), "lz4": (LZ4, lz4), "zstd": (ZSTD, zstd)}


def batch(codec, records, pack):
    """A batch of format 2 (KIP-98) with records that are lists of pieces."""
    content = b"".join(pack(itertools.chain.from_iterable(records)))
    last = len(records) - 1
    head = struct.pack(">hiqqqhii", codec, last, 0, 0, -1, -1, -1, len(records)) + content
    return struct.pack(">qiibI", 0, 9 + len(head), -1, 2, crc32c(head)) + head


def large_batch(codec, megabytes, records, key, before, after):
    """One whose records have so many letters together."""
    count = megabytes * 1_000_000 // records
    made = [list(record(n, key, before, count, after)) for n in range(records)]
    code, pack = PACKED[codec]
    return batch(code, made, pack)


def produce(address, topic, partition, content):
    """Sends a batch to the broker that leads the partition."""
    def text(word):
        return struct.pack(">h", len(word)) + word.encode()

    body = struct.pack(">hhih", PRODUCE, VERSION, 1, -1)
    body += struct.pack(">hhii", -1, -1, 60_000, 1) + text(topic)
    body += struct.pack(">iii", 1, partition, len(content)) + content
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), timeout=120) as connection:
        connection.sendall(struct.pack(">i", len(body)) + body)
        answer = connection.makefile("rb")
        size, = struct.unpack(">i", answer.read(4))
        reply = answer.read(size)
    at = 4 + 4 + 2 + len(topic) + 4
    _, error, offset = struct.unpack(">ihq", reply[at:at + 14])
    assert error == 0, f"the broker refuses the batch: error {error}"
    return offset
