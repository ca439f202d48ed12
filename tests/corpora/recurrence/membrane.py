# expect: ASC101 safe scope=lif
import torch


def lif(current, tau: float, dt: float):
    v = torch.zeros_like(current[0])
    trace = []
    for i in range(current.size(0)):
        dv = (dt / tau) * (-v + current[i])
        v = v + dv
        trace.append(v)
    return torch.stack(trace)


def cases(rng):
    yield (
        "lif",
        (
            torch.randn(6, 3, requires_grad=True),
            10.0,
            1.0,
        ),
        {},
    )
