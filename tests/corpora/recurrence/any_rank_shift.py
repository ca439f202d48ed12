# expect: ASC104 safe scope=decayed_peak
import torch
from torch import Tensor


def decayed_peak(decay: Tensor, x: Tensor):
    batch, length, width = x.shape
    peak = torch.zeros(batch, width)
    peaks = []
    for t in range(length):
        peak = torch.maximum(peak - decay, x[:, t])
        peaks.append(peak)
    return torch.stack(peaks, dim=1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for shape in ((5,), (3, 5), (1,), (3, 1)):
        yield "decayed_peak", (G(*shape), G(3, 7, 5)), {}
    yield "decayed_peak", (G(3), G(3, 3, 3)), {}
