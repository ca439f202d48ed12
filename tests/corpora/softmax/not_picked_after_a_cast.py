# refuse: ASC107 the weights were rounded before they were picked
import torch


def cross_entropy(logits, target):
    p = torch.softmax(logits.to(torch.bfloat16), dim=-1).float()
    return -torch.log(p[torch.arange(len(target)), target]).mean()


def cases(rng):
    logits = torch.tensor(rng.standard_normal((5, 4)), dtype=torch.float32)
    yield "cross_entropy", (logits, torch.tensor(rng.integers(4, size=5))), {}
