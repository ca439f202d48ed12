# expect: RED502 unsafe scope=losses

import torch


def losses(x: torch.Tensor, w: torch.Tensor):
    actor = torch.tanh(x @ w).sum()
    critic = torch.exp(torch.matmul(x, w)).sum()
    return actor, critic


def trained(x, w):
    x = x.detach().requires_grad_()
    actor, critic = losses(x, w)
    actor.backward()
    critic.backward()
    return x.grad


def cases(rng):
    x, w = (torch.from_numpy(rng.normal(size=(3, 3))).float() for _ in "ab")
    yield "trained", (x, w), {}
