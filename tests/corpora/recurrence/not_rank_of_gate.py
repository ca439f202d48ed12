# refuse: the shift is a part of the state that the loop computes
import torch
from torch import Tensor


def decayed_peak(decay: Tensor, x: Tensor):
    batch, length, width = x.shape
    peak = torch.zeros(batch, width)
    peaks = []
    for t in range(length):
        peak = torch.maximum(peak - decay * peak.sigmoid(), x[:, t])
        peaks.append(peak)
    return torch.stack(peaks, dim=1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "decayed_peak", (G(5), G(3, 7, 5)), {}
