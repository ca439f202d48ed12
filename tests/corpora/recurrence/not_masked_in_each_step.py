# refuse: each step writes into the array whose rows later steps read
import torch


def run(x: torch.Tensor, a: torch.Tensor):
    y = x * 2
    h = torch.zeros(y.shape[1])
    out = []
    for t in range(len(y)):
        h = a * h + y[t]
        out.append(h)
        y[y > 1] = 0.5
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "run", (draw(6, 3), draw(3)), {}
