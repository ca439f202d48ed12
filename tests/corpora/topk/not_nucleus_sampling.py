# refuse: ASC110 how many are kept depends on a running sum over the sorted values
import torch


def nucleus(probs, p=0.9):
    ranked, order = probs.sort(descending=True)
    keep = ranked.cumsum(0) - ranked < p
    return order[: int(keep.sum())]


def cases(rng):
    probs = torch.tensor(rng.random(30)).softmax(0)
    yield "nucleus", (probs,), {}
