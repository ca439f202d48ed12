# expect: ASC101 safe scope=backwards
# expect: ASC101 safe scope=two_axes
import torch


def backwards(deltas: torch.Tensor, gamma=0.99):
    T = deltas.shape[0]
    adv = torch.zeros(T)
    acc = 0.0
    for i in range(T):
        k = T - i - 1
        acc = deltas[k] + gamma * acc  # from the last step on
        adv[k] = acc
    return adv


def two_axes(rewards: torch.Tensor, keep=0.9):
    n, horizon = rewards.shape
    out = torch.zeros(n, horizon)
    total = torch.zeros(n)
    for step in range(horizon):
        last = horizon - 1
        t = last - step
        total = rewards[:, t] + keep * total
        out[:, t] = total
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for n in (1, 7):
        yield "backwards", (draw(n),), {}
        yield "two_axes", (draw(3, n),), {}
