# refuse: ASC110 in no order, not all of it, or the best of each step are wanted
import torch


def in_no_order(x: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for item in x:
        best = torch.cat([best, item[None]]).topk(k, sorted=False).values
    return best


def in_no_order_either(x: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for item in x:
        best = torch.topk(torch.cat([best, item[None]]), k, -1, True, False)[0]
    return best


def without_the_rest(x: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for i in range(len(x) // 4):
        best = torch.cat([best, x[4 * i : 4 * i + 4]]).topk(k).values
    return best


def every_second(x: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for i in range(0, len(x), 2):
        best = torch.cat([best, x[i : i + 1]]).topk(k).values
    return best


def twice(x: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for i in range(0, len(x), 2):
        best = torch.cat([best, x[i : i + 3]]).topk(k).values
    return best


def first_ten(x: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for i in range(10):
        best = torch.cat([best, x[i : i + 1]]).topk(k).values
    return best


def worst_each_time(x: torch.Tensor, k: int):
    best, bars = torch.full((k,), float("-inf")), []
    for item in x:
        best = torch.cat([best, item[None]]).topk(k).values
        bars.append(best[-1])
    return torch.stack(bars)


def lowered(x: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for item in x:
        best = torch.cat([best - 0.1, item[None]]).topk(k).values
    return best


def cases(rng):
    x = torch.tensor(rng.standard_normal(11)).float()
    for name in (
        "without_the_rest",
        "every_second",
        "twice",
        "first_ten",
        "worst_each_time",
        "lowered",
    ):
        yield name, (x, 3), {}
