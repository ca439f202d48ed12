# expect: ASC106 safe scope=dot
# expect: ASC106 safe scope=weighted
# expect: ASC106 safe scope=of_tensors
# expect: ASC106 safe scope=ratios
import torch


def dot(a, b):
    total = 0
    for x, y in zip(a, b):
        total = total + x * y
    return total


def weighted(weights: list[float], values: list[float]):
    num = 0.0
    den = 0.0
    for w, v in zip(weights, values):
        num += w * v
        den += w
    return num / den


def of_tensors(a: list[torch.Tensor], b: list[torch.Tensor]):
    total = 0
    for x, y in zip(a, b):
        total = total + x * y
    return total


def ratios(a: list[float], b: list[float]):
    product = 1.0
    for x, y in zip(a, b):
        product *= x / y
    return product


def cases(rng):
    for size in (1, 6):
        a, b = rng.normal(size=(2, size)).tolist()
        for name in ("dot", "weighted", "ratios"):
            yield name, (a, b), {}
        yield "dot", (a, b + [1.0]), {}
        yield "dot", ([int(8 * x) for x in a], [int(8 * x) for x in b]), {}
    yield "dot", ([], []), {}
    x = torch.tensor(rng.normal(size=3), requires_grad=True)
    yield "of_tensors", ([x, 2 * x], [x, x + 1]), {}
