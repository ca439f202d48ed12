# expect: ASC101 safe scope=scan
from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Carry:
    value: torch.Tensor
    steps: int = 0


def scan(x, decay):
    carry = Carry(value=torch.zeros(x.shape[1]))
    values = []
    for row in x:
        carry.value = decay * carry.value + row
        carry.steps += 1
        values.append(carry.value)
    return torch.stack(values), carry


def cases(rng: np.random.Generator):
    for length in (1, 6):
        x = torch.from_numpy(rng.standard_normal((length, 3)).astype(np.float32))
        yield "scan", (x.requires_grad_(), 0.5), {}
