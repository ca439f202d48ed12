# expect: RED503 unsafe scope=paths
import sys


def paths(right, down):
    if right == 0 or down == 0:
        return 1
    return paths(right - 1, down) + paths(right, down - 1)


def deep(right):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(right + 1000)
    try:
        return paths(right, 1)
    finally:
        sys.setrecursionlimit(before)


def cases(rng):
    yield "deep", (2000,), {}
