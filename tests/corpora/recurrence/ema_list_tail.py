# expect: ASC101 safe scope=smooth
# The state has no name: it is the last element of the list.
import torch


def smooth(series, weight: float):
    out = [series[0]]
    for i in range(1, len(series)):
        out.append(out[-1] * weight + series[i] * (1.0 - weight))
    return torch.stack(out)


def cases(rng):
    for shape in ((1,), (2, 4), (45, 3)):
        series = torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)
        yield "smooth", (series, 0.9), {}
