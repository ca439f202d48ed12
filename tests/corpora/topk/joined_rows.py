# expect: ASC110 safe scope=best_of_rows
# expect: ASC110 safe scope=lowest
# expect: ASC110 safe scope=from_the_end
import torch


def best_of_rows(scores: torch.Tensor, k: int):
    """scores: (N, B)"""
    best = torch.full((k,), float("-inf"), dtype=scores.dtype)
    for row in scores:
        best = torch.cat([best, row]).topk(k).values
    return best


def lowest(x: torch.Tensor, k: int):
    kept = torch.full((k,), torch.inf, dtype=x.dtype)
    for i in range(len(x)):
        kept, _ = torch.topk(torch.cat((x[i].reshape(1), kept)), k, largest=False)
    return kept


def from_the_end(x: torch.Tensor):
    """x: (N,)"""
    best = x.new_zeros(3)
    for item in reversed(x):
        merged = torch.cat([best, item[None]])
        ordered, _ = torch.sort(merged, descending=True)
        best = ordered[:3]
    return best


def cases(rng):
    for shape in ((1, 2), (7, 5)):
        rows = torch.tensor(rng.standard_normal(shape), requires_grad=True)
        yield "best_of_rows", (rows, 3), {}
    for length in (1, 2, 17):
        x = torch.tensor(rng.standard_normal(length), requires_grad=True)
        yield "lowest", (x, 4), {}
        yield "from_the_end", (torch.tensor(rng.standard_normal(length)).float(),), {}
