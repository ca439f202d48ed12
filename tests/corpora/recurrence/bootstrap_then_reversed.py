# may: ASC101 safe|advice scope=returns
import torch


def returns(rewards, gamma: float):
    steps, runs = rewards.shape
    total = rewards[steps - 1]
    out = [total]
    for t in range(steps - 2, -1, -1):
        total = rewards[t] + gamma * total
        out.append(total)
    out.reverse()
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "returns", (draw(5, 3), 0.9), {}
    yield "returns", (draw(2, 3), 0.9), {}
    yield "returns", (draw(1, 3), 0.9), {}
