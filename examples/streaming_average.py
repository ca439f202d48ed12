"""Smooth many noisy sensors with an exponential moving average.

New readings count for a tenth, everything before for the rest. The state starts at the first
reading, so that the curve does not begin with a climb from zero.
"""

import torch
from torch import Tensor


def moving_average(readings: Tensor, weight: float = 0.1) -> Tensor:
    """readings: (sensors, time)."""
    average = readings[:, 0]
    curve = [average]
    for t in range(1, readings.shape[1]):
        average = weight * readings[:, t] + (1 - weight) * average
        curve.append(average)
    return torch.stack(curve, dim=1)


def moving_average_inputs(sensors=256, time=2048):
    torch.manual_seed(0)
    return (torch.randn(sensors, time).cumsum(dim=1),)


if __name__ == "__main__":
    curve = moving_average(*moving_average_inputs())
    print(tuple(curve.shape), f"{curve[:, -1].mean():.4f}")
