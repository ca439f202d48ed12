# expect: RED503 safe scope=longest
import torch


def longest(a: str, b: str, i: int, j: int):
    if i == 0 or j == 0:
        return 0
    if a[i - 1] == b[j - 1]:
        return 1 + longest(a, b, i - 1, j - 1)
    return max(longest(a, b, i - 1, j), longest(a, b, i, j - 1))


def places(q: torch.Tensor):
    n = q.shape[-2]
    i = torch.arange(n)
    return i + 1


def cases(rng):
    yield "longest", ("harmony", "armoury", 7, 7), {}
    yield "longest", ("a", "b", 1, 1), {}
