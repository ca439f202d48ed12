"""How much has been sold by the end of each day?

A running total: each answer is the one before plus one more day.
"""

import torch
from torch import Tensor


def running_total(sales: Tensor) -> Tensor:
    """sales: (days, shops)."""
    total = torch.zeros_like(sales[0])
    totals = []
    for day in range(sales.shape[0]):
        total = total + sales[day]
        totals.append(total)
    return torch.stack(totals)


def running_total_inputs(days=2048, shops=256):
    torch.manual_seed(0)
    return (torch.rand(days, shops),)


if __name__ == "__main__":
    totals = running_total(*running_total_inputs())
    print(tuple(totals.shape), f"{totals[-1].mean():.3f}")
