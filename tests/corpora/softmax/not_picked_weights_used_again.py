# refuse: ASC107 the weights say which class is the likeliest as well
import torch


def evaluate(logits, target):
    p = torch.softmax(logits, dim=-1)
    right = (p.argmax(-1) == target).float().mean()
    return -torch.log(p[torch.arange(len(target)), target]).mean(), right


def cases(rng):
    logits = torch.tensor(rng.standard_normal((5, 4)), requires_grad=True)
    yield "evaluate", (logits, torch.tensor(rng.integers(4, size=5))), {}
