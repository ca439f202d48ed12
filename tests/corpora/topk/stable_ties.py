# expect: ASC110 safe scope=first_come_first_served
import torch


def first_come_first_served(scores: torch.Tensor) -> torch.Tensor:
    order = torch.sort(scores.long(), descending=True, stable=True).indices
    return order[:8]


def cases(rng):
    yield "first_come_first_served", (torch.tensor(rng.integers(0, 4, 60)),), {}
