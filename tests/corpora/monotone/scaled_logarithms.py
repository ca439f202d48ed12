# expect: RED506 safe scope=peak
# expect: RED506 safe scope=ceiling
# expect: RED506 safe scope=levels
import numpy as np
import torch


def peak(power: np.ndarray):
    decibels = 20 * np.log10(power)
    return np.max(decibels)


def ceiling(power: np.ndarray):
    bels = np.log10(power) - 12
    return 2 * (bels / 10).max(axis=-1)


def levels(energy: torch.Tensor):
    return (3 * (energy.log() + 1)).amax(dim=-1)


def cases(rng):
    for shape in ((1,), (7,), (3, 4)):
        yield "peak", (rng.uniform(0.5, 2, shape),), {}
        yield "peak", (rng.uniform(0.5, 2, shape).astype(np.float32),), {}
        yield "ceiling", (rng.uniform(0.5, 2, shape),), {}
        yield "levels", (torch.from_numpy(rng.uniform(0.5, 2, shape)).requires_grad_(),), {}
