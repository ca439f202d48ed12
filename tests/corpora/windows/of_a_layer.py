# expect: LOC309 safe scope=Conv1d.forward
import torch
import torch.nn as nn


class Conv1d(nn.Module):
    def __init__(self, cin, cout, k):
        super().__init__()
        self.k = k
        self.weight = nn.Parameter(torch.randn(cout, cin, k) * 0.1)
        self.bias = nn.Parameter(torch.zeros(cout))

    def forward(self, x):
        win = x.unfold(2, self.k, 1)  # B, C, L', k
        y = torch.einsum("bclk,ock->bol", win, self.weight)
        return y + self.bias[None, :, None]


def cases(rng):
    yield (
        "Conv1d(3, 5, 4)",
        (torch.from_numpy(rng.standard_normal((2, 3, 17))).float().requires_grad_(),),
        {},
    )
