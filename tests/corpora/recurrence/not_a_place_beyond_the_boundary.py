# refuse: ASC101 at the boundary's place the loop reads nothing
import torch


def returns(rewards: torch.Tensor, values: torch.Tensor, next_value: torch.Tensor):
    n = rewards.shape[0]
    out = torch.zeros_like(rewards)
    last = 0
    for t in reversed(range(n)):
        if t == n - 1:
            following = next_value
        else:
            following = values[t]
        delta = rewards[t] + 0.9 * following - values[t]
        out[t] = last = delta + 0.8 * last
    return out


def forward(rewards: torch.Tensor, values: torch.Tensor, first: torch.Tensor):
    n = rewards.shape[0]
    out = torch.zeros_like(rewards)
    last = 0
    for t in range(n):
        if t == 0:
            before = first
        else:
            before = values[t]
        out[t] = last = rewards[t] + 0.9 * before + 0.8 * last
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s))

    for name in ("returns", "forward"):
        for n in (5, 2, 1):
            yield name, (R(n), R(n), R()), {}
