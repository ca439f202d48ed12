# expect: LOC304 safe scope=attend
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, width: int):
    batch, length, size = q.shape
    batch, length, size = k.shape
    near = torch.ones(length, length).triu(-width) - torch.ones(length, length).triu(1)
    scores = torch.einsum("bid,bjd->bij", q, k).masked_fill(~near.bool(), float("-inf"))
    return scores.softmax(dim=-1) @ v


def cases(rng):
    for length in (1, 5, 9):
        arrays = [
            torch.tensor(rng.standard_normal((2, length, 4)), requires_grad=True) for _ in range(3)
        ]
        yield "attend", (*arrays, 3), {}
        yield "attend", (*arrays, 0), {}
