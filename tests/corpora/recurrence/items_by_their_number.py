# expect: ASC101 advice scope=smoothing
# expect: ASC101 safe scope=states
import torch


def smoothing(series, alpha):
    result = [series[0]]
    for n in range(1, len(series)):
        result.append(alpha * series[n] + (1 - alpha) * result[n - 1])
    return result


def states(x: torch.Tensor, a: torch.Tensor):
    steps, width = x.shape
    hs = [x[0]]
    for t in range(1, steps):
        h = a * hs[t - 1] + x[t]
        hs.append(h)
    return torch.stack(hs)


def cases(rng):
    yield "smoothing", ([1.0, 2.0, 0.5, 3.0], 0.4), {}
    for steps in (1, 2, 9):
        x = torch.tensor(rng.standard_normal((steps, 3)), requires_grad=True)
        a = torch.tensor(rng.random(3), requires_grad=True)
        yield "states", (x, a), {}
