# expect: ASC105 safe scope=twice
# expect: ASC101 safe scope=squared
# expect: ASC101 safe scope=averaged
# expect: ASC101 safe scope=taken_off
# expect: ASC101 safe scope=last
import torch


def twice(x: torch.Tensor, k: int):
    outs = []
    s = 0
    for v in x:
        s = s + v
        outs.append(s - k)
    return torch.stack(outs) * 2


def squared(x: torch.Tensor):
    outs = []
    s = torch.zeros_like(x[0])
    for v in x:
        s = 0.5 * s + v
        outs.append(-s)
    return torch.stack(outs) ** 2


def averaged(x: torch.Tensor):
    outs = []
    s = torch.zeros_like(x[0])
    for v in x:
        s = 0.5 * s + v
        outs.append(s + v)
    return torch.stack(outs).mean(0)


def taken_off(x: torch.Tensor):
    outs = []
    s = torch.zeros_like(x[0])
    for v in x:
        s = 0.5 * s + v
        outs.append(s + v)
    return x - torch.stack(outs)


def last(x: torch.Tensor):
    outs = []
    s = torch.zeros_like(x[0])
    for v in x:
        s = 0.5 * s + v
        outs.append(s + v)
    return (
        torch.stack(
            outs,
        )[-1]
        @ x.T
    )


def cases(rng):
    x = torch.tensor(rng.normal(size=(6, 3)), requires_grad=True)
    yield "twice", (x, 3), {}
    for name in ("squared", "averaged", "taken_off", "last"):
        yield name, (x,), {}
