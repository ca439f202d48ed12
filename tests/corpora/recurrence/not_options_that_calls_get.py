# refuse: ASC101 the range may be another one after the call
import torch


def returns(rewards: torch.Tensor):
    args = load()
    out = torch.zeros_like(rewards)
    running = torch.zeros_like(rewards[0])
    for t in range(args.steps):
        running = rewards[t] + args.gamma * running
        out[t] = running
        load(args)
    return out


class Options:
    steps = 3
    gamma = 0.9


def load(options=None):
    if options is None:
        return Options()
    options.gamma *= 0.5


def cases(rng):
    yield "returns", (torch.randn(4, 3),), {}
