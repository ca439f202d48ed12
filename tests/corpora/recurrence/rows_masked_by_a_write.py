# expect: ASC101 safe scope=run
import torch


def run(x: torch.Tensor, a: torch.Tensor):
    steps, width = x.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps):
        row = x[t] * 2
        row[row > 1] = 0.5
        h = a * h + row
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for steps in (1, 2, 7):
        yield "run", (draw(steps, 3), draw(3)), {}
