# expect: ASC101 safe scope=MinimalGRU.forward
from torch import nn, sigmoid, stack, zeros


class MinimalGRU(nn.Module):
    """A GRU whose gates do not look at the previous state."""

    def __init__(self, d_in, d_hidden):
        super().__init__()
        self.d_hidden = d_hidden
        self.to_z = nn.Linear(d_in, d_hidden)
        self.to_h = nn.Linear(d_in, d_hidden)

    def forward(self, x):
        b, n, _ = x.shape
        h = zeros(b, self.d_hidden, device=x.device, dtype=x.dtype)
        hs = []
        for t in range(n):
            z = sigmoid(self.to_z(x[:, t]))
            candidate = self.to_h(x[:, t])
            h = (1 - z) * h + z * candidate
            hs.append(h)
        return stack(hs, 1)


def cases(rng):
    import torch

    for b, n in ((1, 2), (3, 31)):
        x = torch.tensor(rng.standard_normal((b, n, 4)), dtype=torch.float32)
        yield "MinimalGRU(4, 6)", (x.requires_grad_(),), {}
