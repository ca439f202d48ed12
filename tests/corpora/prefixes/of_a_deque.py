# expect: ASC105 safe scope=offsets
# expect: ASC105 safe scope=ends
from collections import deque
from collections.abc import Sequence


def offsets(sizes: Sequence[int]) -> list[int]:
    total = sizes[0]
    found = [total]
    for i in range(1, len(sizes)):
        total = total + sizes[i]
        found.append(total)
    return found


def ends(sizes: list[int]) -> list[int]:
    total = 0
    found = []
    for i in range(len(sizes)):
        total += sizes[i]
        found.append(total)
    return found


def cases(rng):
    yield "offsets", (deque([3, 1, 4]),), {}
    yield "offsets", ((2,),), {}
    yield "ends", ([3, 1, 4],), {}
    yield "ends", ([],), {}
