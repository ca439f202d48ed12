# expect: ASC110 safe scope=route
import torch


def route(x, w, k: int = 2):
    probs = torch.softmax(x @ w, dim=-1)
    sp, si = torch.sort(probs, dim=-1, descending=True)
    gates, experts = sp[:, :k], si[:, :k]
    return gates / gates.sum(-1, keepdim=True), experts


def cases(rng):
    yield (
        "route",
        (
            torch.randn(5, 4),
            torch.randn(4, 6),
        ),
        {},
    )
