# expect: ASC109 safe scope=temperatures
# expect: ASC101 safe scope=averages
# expect: ASC101 safe scope=returns
import torch


def temperatures(q, k, v):
    outs = []
    for t in (1.0, 2.0):
        s = q @ k.mT / t
        outs.append(s.softmax(-1) @ v)
    return outs


def averages(x: torch.Tensor):
    out = {}
    for name, a in (("slow", 0.9), ("fast", 0.1)):
        h = x[0]
        for t in range(1, len(x)):
            h = a * h + (1 - a) * x[t]
        out[name] = h
    return out


def returns(rewards: torch.Tensor):
    found = []
    for gamma in [0.9, 0.99, 0.5]:
        g = torch.zeros_like(rewards[0])
        for t in range(len(rewards) - 1, -1, -1):
            g = rewards[t] + gamma * g
        found.append(g)
    return torch.stack(found)


def cases(rng):
    draw = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32).requires_grad_()
    yield "temperatures", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 3)), {}
    yield "averages", (draw(9, 3),), {}
    yield "averages", (draw(2, 3),), {}
    yield "returns", (draw(7, 2),), {}
