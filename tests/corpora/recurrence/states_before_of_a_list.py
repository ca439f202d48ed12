# expect: ASC101 safe scope=run
# Only single items are asked for: tensors in a list pass as well as a tensor, and so do numbers.
import torch


def run(x, a):
    h = torch.zeros_like(x[0])
    out = []
    for t in range(len(x)):
        out.append(h)
        h = a[t] * h + x[t]
    return torch.stack(out), h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "run", (draw(5, 2, 3), draw(5)), {}
    yield "run", ([draw(3), draw(3)], [0.5, 0.25]), {}
    yield "run", ((draw(3), draw(3)), draw(2, 3)), {}
