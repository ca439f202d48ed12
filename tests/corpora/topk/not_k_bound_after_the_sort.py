# refuse: ASC110 how many are kept is known only after the sort, from what it gives
import torch


def above_half(scores: torch.Tensor):
    ranked, order = torch.sort(scores, dim=-1, descending=True)
    shifted = scores - ranked.amax()
    kept = int((shifted > -0.5).sum())
    return order[:kept]


def cases(rng):
    for n in (1, 2, 17):
        yield "above_half", (torch.tensor(rng.random(n)),), {}
