# refuse: the rows themselves are given back, each an array of its own
import torch


def copied(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    return [state for state in states]


def changed(x, gate):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        states.append(h)
    first = states[0]
    first += 1
    return first, sum(states)


def perhaps(x, gate, skipped):
    h = torch.zeros(x.shape[0], x.shape[2])
    states = []
    if not skipped:
        for t in range(x.shape[1]):
            h = gate[:, t] * h + x[:, t]
            states.append(h)
    return torch.stack(states, 1), states[-1]


def numbers(values):
    h = 0.0
    states = []
    for value in values:
        h = 0.9 * h + value
        states.append(h)
    return states[-1]


def cases(rng):
    yield "copied", (torch.randn(2, 5, 3), torch.rand(2, 5, 3)), {}
    yield "changed", (torch.randn(2, 5, 3), torch.rand(2, 5, 3)), {}
    yield "perhaps", (torch.randn(2, 5, 3), torch.rand(2, 5, 3), False), {}
    yield "numbers", ([1.0, 2.0, 3.0],), {}
