# expect: RED502 safe scope=agreement

import torch
import torch.nn.functional as F


def probabilities(x):
    return F.softmax(x, dim=-1)


def agreement(student: torch.Tensor, weight: torch.Tensor):
    p = probabilities(student)
    logits = student
    return (p * weight).sum() - torch.softmax(logits, -1).amax()


def cases(rng):
    for n in (3, 1):
        x = torch.from_numpy(rng.normal(size=(2, n))).float().requires_grad_()
        w = torch.from_numpy(rng.normal(size=(2, n))).float().requires_grad_()
        yield "agreement", (x, w), {}
