# refuse: the script changes what the helper reads while its loop runs
import torch

torch.manual_seed(0)
x = torch.randn(6, 3)
a = 0.5
weights = torch.ones(3)


def step(h, z):
    return a * h + z


def weigh(h, z):
    return weights * h + z


h = torch.zeros(3)
slower = []
for t in range(6):
    h = step(h, x[t])
    slower.append(h)
    a = 0.9

s = torch.zeros(3)
heavier = []
for t in range(6):
    s = weigh(s, x[t])
    heavier.append(s)
    weights[0] = 0.9


def changing(u: torch.Tensor):
    s = torch.zeros(3)
    out = []
    for t in range(u.shape[0]):
        s = weigh(s, u[t])
        out.append(s)
        weights[1] = 0.7
    return torch.stack(out)


def cases(rng):
    yield "lambda: (slower, heavier)", (), {}
    yield "changing", (torch.tensor(rng.standard_normal((5, 3))).float(),), {}
