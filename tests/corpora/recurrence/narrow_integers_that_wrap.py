# expect: ASC101 safe scope=smoothed
# expect: ASC101 safe scope=mixed
# expect: ASC101 safe scope=frames
import numpy as np
import torch


def smoothed(x: np.ndarray, gain: int):
    s = 0.0
    for t in range(len(x)):
        s = s + 0.1 * (x[t] * gain - s)
    return s


def mixed(x: torch.Tensor, y: torch.Tensor):
    s, out = 0.0, []
    for t in range(len(x)):
        s = 0.5 * s + (0.1 * x[t] + (y[t] + y[t]))
        out.append(s)
    return torch.stack(out)


def frames(x: torch.Tensor, gain: int):
    s, out = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        s = 0.9 * s + 0.1 * (x[t] * gain)
        out.append(s)
    return torch.stack(out)


def cases(rng):
    for n in (1, 6):
        small = rng.integers(0, 255, (n, 3)).astype(np.uint8)
        yield "smoothed", (small[:, 0].astype(np.int8), 3), {}
        yield "smoothed", (rng.normal(size=n), 3), {}
        yield "mixed", (torch.tensor(small[:, 0]), torch.tensor(small[:, 1])), {}
        yield "frames", (torch.tensor(small), 3), {}
        yield "frames", (torch.tensor(rng.normal(size=(n, 3)), dtype=torch.float32), 2), {}
