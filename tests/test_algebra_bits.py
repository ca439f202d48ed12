"""Loops that are linear bit by bit: three runs added up modulo 2 are the run of the sum, whatever
is given; where the audit says so it must be true, and near misses must not be called so."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from auditor.audit import Options, audit_text
from auditor.properties import associativity
from auditor.properties.subject import Subject
from auditor.verdict import Verdict
from benchmarks.literature import outermost


def verdict(text: str) -> Verdict:
    (loop,) = outermost(text)
    return associativity.ask(Subject(loop))


def adds_up(text: str, width: int) -> bool:
    """Whether runs from three states and from their sum modulo 2 leave such a sum."""
    held: dict[str, Callable[[list[int], int], int]] = {}
    exec(text, held)
    run, drawn = held["f"], random.Random(3)
    for _ in range(200):
        xs = [drawn.randrange(256) for _ in range(drawn.randrange(1, 6))]
        starts = [drawn.randrange(1 << width) for _ in range(3)]
        left = [run(xs, start) for start in (*starts, starts[0] ^ starts[1] ^ starts[2])]
        if left[0] ^ left[1] ^ left[2] != left[3]:
            return False
    return True


LINEAR = {
    "a checksum bit by bit": """
def f(data: list[int], crc: int):
    for byte in data:
        crc ^= byte & 255
        for _ in range(8):
            if crc & 1:
                crc = (crc >> 1) ^ 0xEDB88320
            else:
                crc >>= 1
    return crc
""",
    "a checksum from the other end": """
def f(data: list[int], crc: int):
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021) & 0xFFFF if crc & 0x8000 else (crc << 1) & 0xFFFF
    return crc
""",
    "a mask instead of a branch": """
def f(data, crc):
    for byte in data:
        crc = crc ^ (byte & 255)
        for i in range(4):
            mask = -(crc & 1)
            crc = (crc >> 1) ^ (0xA001 & mask)
    return crc
""",
    "a generator": """
def f(xs, h):
    for x in xs:
        h ^= x & 0xFFFFFFFF
        h ^= (h << 13) & 0xFFFFFFFF
        h ^= h >> 17
        h ^= (h << 5) & 0xFFFFFFFF
    return h
""",
    "a register with feedback": """
def f(bits, s):
    for b in bits:
        feedback = (s ^ (s >> 2) ^ (s >> 3) ^ (s >> 5)) & 1
        s = (s >> 1) | ((feedback ^ (b & 1)) << 15)
    return s
""",
    "a rotation": """
def f(xs, h):
    for x in xs:
        h = ((h << 5) | (h >> 27)) & 0xFFFFFFFF
        h ^= x & 0xFFFF
    return h
""",
    "quotients and remainders by powers of two": """
def f(xs, h):
    for x in xs:
        h = (h % 256) * 256 + (h // 256) % 256
        h = h ^ (x % 65536)
    return h
""",
    "a field of 256 elements": """
def f(xs, h):
    for x in xs:
        h = ((h << 1) ^ (0x1B if h & 0x80 else 0)) & 0xFF
        h ^= x & 0xFF
    return h
""",
    "another matrix at each step": """
def f(xs, h):
    for x in xs:
        if x & 1:
            h = (h ^ (h >> 3)) & 0xFFFF
        else:
            h = (h << 2) & 0xFFFF
        h = h ^ (h >> 1) if x % 4 == 2 else h
    return h
""",
    "a branch by what is given": """
def f(xs, h):
    for x in xs:
        h = (h >> 1) & 0xFFFF if x & 3 else (h << 1) & 0xFFFF
        h ^= 0x55 if x > 7 else 0
    return h
""",
    "a bit compared": """
def f(xs, h):
    for x in xs:
        top = (h >> 15) & 1
        h = (h << 1) & 0xFFFF
        if top != (x & 1) and (x & 2) == 2:
            h ^= 0
        if (h & 4) == 4:
            h ^= 0x8005
    return h
""",
    "bits that trade places": """
def f(xs, h):
    for x in xs:
        h = ((h & 0x5555) << 1) | ((h >> 1) & 0x5555)
        h = ~h & 0xFFFF
        h ^= (x * 4) & 0xFFFF
    return h
""",
}  # fmt: skip


@pytest.mark.parametrize("name", LINEAR)
def test_linear_over_bits(name: str) -> None:
    found = verdict(LINEAR[name])
    assert (found.verdict, found.basis) == ("holds", "proof")
    assert "each bit is a sum modulo 2" in found.evidence
    width = re.search(r"of (\d+) bits", found.evidence)
    assert width is not None and adds_up(LINEAR[name], int(width[1]))


@pytest.mark.parametrize("name", LINEAR)
def test_what_a_step_does_is_the_same_at_each_or_not(name: str) -> None:
    same = "the same ones at every step" in verdict(LINEAR[name]).evidence
    assert same == (name not in ("another matrix at each step", "a branch by what is given"))


NOT_LINEAR = {
    "a hash": """
def f(xs, h):
    for x in xs:
        h = ((h ^ x) * 16777619) & 0xFFFFFFFF
    return h
""",
    "a rotation whose halves overlap": """
def f(xs, h):
    for x in xs:
        h = ((h << 5) | (h >> 26)) & 0xFFFFFFFF
        h ^= x & 255
    return h
""",
    "a sum that carries": """
def f(xs, h):
    for x in xs:
        h = (h + (h << 3)) & 0xFFFF
        h ^= h >> 7
    return h
""",
    "two bits at once": """
def f(xs, h):
    for x in xs:
        h = (h >> 1) ^ (0xA001 if h & 3 else 0) ^ (x & 255)
    return h
""",
    "a product of bits": """
def f(xs, h):
    for x in xs:
        h = (h ^ (h & (h >> 1)) ^ x) & 0xFFFF
    return h
""",
    "a branch between words that differ by the state": """
def f(xs, h):
    for x in xs:
        h = (h >> 1) & 0xFFFF if h & 1 else (h << 1) & 0xFFFF
        h ^= x & 255
    return h
""",
    "a register that is ored": """
def f(bits, s):
    for b in bits:
        feedback = (s ^ (s >> 2)) & 1
        s = (s >> 1) | ((feedback ^ (b & 1)) << 3)
        s = s & 0xFFFF
    return s
""",
    "a threshold": """
def f(xs, h):
    for x in xs:
        h = (h >> 1) ^ (x & 255)
        if h > 1000000000:
            h ^= 0x55
    return h
""",
    "a checksum that skips by the state": """
def f(data, crc):
    for byte in data:
        crc ^= byte & 255
        for _ in range(8):
            if crc & 1:
                crc = (crc >> 1) ^ 0xA001
            elif crc & 2:
                crc >>= 2
            else:
                crc >>= 1
    return crc
""",
}


@pytest.mark.parametrize("name", NOT_LINEAR)
def test_not_linear_over_bits(name: str) -> None:
    assert not adds_up(NOT_LINEAR[name], 32)
    assert verdict(NOT_LINEAR[name]).verdict != "holds"


UNBOUNDED = {
    "without a mask": """
def f(xs, h):
    for x in xs:
        h ^= h << 13
        h ^= x
    return h
""",
    "inputs that may be wider": """
def f(xs, h: int):
    for x in xs:
        h = (h >> 1) ^ x
    return h
""",
    "numbers that wrap around": """
import numpy as np
def f(xs: np.ndarray):
    h = np.uint8(3)
    for x in xs:
        h = (h << np.uint8(3)) ^ (h >> np.uint8(2))
    return h
""",
    "any number shifted": """
def f(xs, h: int):
    for x in xs:
        h = ((h >> (x & 1)) ^ x) & 0xFFFF
    return h
""",
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_numbers_of_any_size(name: str) -> None:
    assert verdict(UNBOUNDED[name]).verdict != "holds"


def test_what_has_to_be_narrow_is_said() -> None:
    found = verdict("""
def f(data):
    crc = 0xFFFF
    for byte in data:
        crc = crc ^ byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xA001 if crc & 1 else 0)
    return crc
""")
    assert (
        found.verdict == "holds" and "where data[t] is a whole number up to 65535" in found.evidence
    )


MADE = """
POLYNOMIAL = 0xEDB88320


def _entry(c):
    for _ in range(8):
        c = (c >> 1) ^ POLYNOMIAL if c & 1 else c >> 1
    return c


TABLE = [_entry(n) for n in range(256)]
HIGH = [0] * 256
for n in range(256):
    c = n << 24
    for _ in range(8):
        c = ((c << 1) ^ 0x04C11DB7) & 0xFFFFFFFF if c >> 31 else c << 1
    HIGH[n] = c
FEW = (0, 7, 14, 9)
SQUARES = [n * n % 256 for n in range(256)]
FILLED = [n for n in range(256)]


def fill(n):
    FILLED[n] = 3

"""

LOOKED_UP = {
    "a byte at a time": """
def f(data: bytes, crc: int):
    for byte in data:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc
""",
    "the high byte": """
def f(data, crc: int):
    for byte in data:
        place = (crc >> 24) ^ byte & 0xFF
        crc = (crc << 8) & 0xFFFFFFFF ^ HIGH[place]
    return crc
""",
    "two bits at a time": """
def f(data, crc: int):
    for byte in data:
        crc = (crc << 2) & 0xFFFFFFFF ^ FEW[crc >> 30] ^ byte & 1
    return crc
""",
}

NOT_LOOKED_UP = {
    "no linear table": """
def f(data, h: int):
    for byte in data:
        h = SQUARES[(h ^ byte) & 0xFF]
    return h
""",
    "filled elsewhere": """
def f(data, h: int):
    for byte in data:
        h = (h >> 8) ^ FILLED[(h ^ byte) & 0xFF]
    return h
""",
    "given": """
def f(data, h: int, TABLE):
    for byte in data:
        h = (h >> 8) ^ TABLE[(h ^ byte) & 0xFF]
    return h
""",
    "of the function around": """
def g(HIGH):
    def f(data, h: int):
        for byte in data:
            h = (h << 8) & 0xFFFFFFFF ^ HIGH[(h >> 24) ^ byte & 0xFF]
        return h
    return f
""",
    "another one of the same name": """
def f(data, h: int):
    TABLE = [n * n for n in range(256)]
    for byte in data:
        h = (h >> 8) ^ TABLE[(h ^ byte) & 0xFF]
    return h
""",
}


def audited(text: str) -> Verdict:
    """What is said of the first loop of ``f``."""
    line = text[: text.index("for byte", text.index("def f("))].count("\n") + 1
    report = audit_text(text, "tables.py", Options(everything=True))
    (found,) = (one for one in report.computations if one.span.line == line)
    return found.properties["associativity"]


@pytest.mark.parametrize("name", LOOKED_UP)
def test_tables_of_the_file_are_linear(name: str) -> None:
    assert adds_up(MADE + LOOKED_UP[name], 32)
    found = audited(MADE + LOOKED_UP[name])
    assert (found.verdict, found.basis) == ("holds", "proof")
    assert "is as the file makes it" in found.evidence


@pytest.mark.parametrize("name", NOT_LOOKED_UP)
def test_tables_that_are_not_known(name: str) -> None:
    assert audited(MADE + NOT_LOOKED_UP[name]).verdict != "holds"


BYTES = {
    "a checksum": (True, """
def f(data: bytes, crc: int = 0) -> int:
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xEDB88320 if crc & 1 else crc >> 1
    return crc
"""),
    "by its places": (True, """
def f(data: bytearray) -> int:
    total = 0
    for byte in range(len(data)):
        total = (3 * total + data[byte]) % 251
    return total
"""),
    "joined as a whole": (False, """
def f(data: bytes, times: int):
    joined = b""
    for byte in range(times):
        joined = data + 2 * joined
    return joined
"""),
}  # fmt: skip


@pytest.mark.parametrize("name", BYTES)
def test_the_numbers_of_bytes(name: str) -> None:
    holds, text = BYTES[name]
    assert (audited(text).verdict == "holds") == holds
