# refuse: the gate reads the state
import torch
from torch import Tensor


def walrus_state_gate(x: Tensor, h: Tensor):
    return torch.stack([h := torch.sigmoid(h) * h + x[t] for t in range(len(x))])


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "walrus_state_gate", (R(7, 3), R(3)), {}
