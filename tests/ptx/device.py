"""The memory and the arithmetic of a device, as ptx.py needs them."""
import bisect
import math
import struct


class Fault(Exception):
    """What a device would not do, or not do well."""


# ---- memory ----

BASES = {"global": 1 << 24, "param": 1 << 25, "shared": 1 << 26, "local": 1 << 27}
PATTERN = 0xFF  # of memory that nobody has written


class Memory:
    """Pieces of bytes at their addresses, each of a space."""

    def __init__(self):
        self.starts, self.pieces = [], []

    def add(self, start, data, space="global"):
        """Takes the place of the piece that begins there, if there is one."""
        at = bisect.bisect_left(self.starts, start)
        if at < len(self.starts) and self.starts[at] == start:
            self.pieces[at] = (data, space)
        else:
            self.starts.insert(at, start)
            self.pieces.insert(at, (data, space))

    def find(self, space, address, size):
        at = bisect.bisect_right(self.starts, address) - 1
        data, has = self.pieces[at] if at >= 0 else (b"", "")
        offset = address - self.starts[at]
        if at < 0 or offset + size > len(data) or (space and has != space):
            raise Fault(f"{size} bytes at {address:#x} are not in memory ({space or 'generic'})")
        if address % size != 0:
            raise Fault(f"{size} bytes at {address:#x} are not aligned")
        return data, offset

    def load(self, space, address, form):
        data, offset = self.find(space, address, form.size)
        return form.unpack_from(data, offset)

    def store(self, space, address, form, *values):
        data, offset = self.find(space, address, form.size)
        form.pack_into(data, offset, *values)

    def atomic(self, address, form, change):
        data, offset = self.find("global", address, form.size)
        old = form.unpack_from(data, offset)[0]
        form.pack_into(data, offset, change(old))
        return old


# ---- what an instruction needs that Python has not ----


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def number(x):
    return struct.unpack("<d", struct.pack("<Q", x))[0]


def divide(a, b):
    if b != 0:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)


def root(x):
    return math.sqrt(x) if x >= 0 else math.nan


def coarse_rsqrt(x):
    """1 / sqrt(x) to about the digits that a device promises."""
    return number(bits(divide(1.0, root(x))) >> 32 << 32)


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def larger(a, b):
    if a != a or b != b:
        return b if a != a else a
    return b if b > a or (a == b == 0 and math.copysign(1, a) < 0) else a


def smaller(a, b):
    return -larger(-a, -b)


def whole(x, rounded, low, high):
    if x != x:
        return 0
    return low if x <= low else high if x >= high else rounded(x)


def permuted(a, b, choice):
    source, out = (b << 32 | a).to_bytes(8, "little"), 0
    for i in range(4):
        nibble = choice >> 4 * i & 15
        byte = source[nibble & 7]
        out |= (0xFF * (byte >> 7) if nibble & 8 else byte) << 8 * i
    return out


def inserted(width, a, b, at, length):
    at, length = at & 255, length & 255
    mask = ((1 << length) - 1) << at & ((1 << width) - 1)
    return a << at & mask | b & ~mask
