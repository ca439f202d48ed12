# expect: ASC101 safe scope=f
import torch


def f(x: torch.Tensor, beta: float):
    m = torch.zeros_like(x[0])
    step = 0
    out = []
    for g in x:
        step += 1
        m = beta * m + (1 - beta) * g
        out.append(m / (1 - beta**step))
    return torch.stack(out)


def cases(rng):
    for s in ((7, 3), (1, 3)):
        yield (
            "f",
            (torch.tensor(rng.normal(size=s), dtype=torch.float32, requires_grad=True), 0.9),
            {},
        )
