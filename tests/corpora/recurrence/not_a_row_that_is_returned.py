# refuse: ASC101 the last state has the axis of the row, which the other steps have not
import torch


def returns(rewards: torch.Tensor, values, value, g):
    value = value.reshape(1, -1)
    last = 0
    out = torch.zeros_like(rewards)
    for t in reversed(range(rewards.shape[0])):
        if t == rewards.shape[0] - 1:
            after = value
        else:
            after = values[t + 1]
        out[t] = last = rewards[t] + g * after + g * last
    return out, last


def cases(rng):
    yield "returns", (torch.randn(4, 3), torch.randn(4, 3), torch.randn(3, 1), 0.9), {}
