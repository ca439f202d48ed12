# refuse: the state is in both factors, whichever comes first
import torch


def f(x, gate):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.size(1)):
        h = x[:, t] + (gate[:, t] + h) * h
        out.append(h)
    return torch.stack(out, 1)


def cases(rng):
    for shape in [(2, 5, 3), (1, 1, 2), (3, 2)]:
        x, gate = (
            torch.tensor(0.1 * rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)
            for _ in range(2)
        )
        yield "f", (x, gate), {}
