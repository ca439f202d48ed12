# expect: ASC102 safe scope=Streaming.forward
import torch
import torch.nn as nn


class Streaming(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.log_A = nn.Parameter(torch.rand(d, n))
        self.register_buffer("state", torch.zeros(1, d, n))

    def forward(self, u, dt, B, C):
        bs, L, _ = u.shape
        A = -self.log_A.exp()
        h = self.state.expand(bs, -1, -1)
        ys = []
        t = 0
        while t < L:
            dt_t = dt[:, t].unsqueeze(-1)
            h = (dt_t * A).exp() * h + dt_t * B[:, t].unsqueeze(1) * u[:, t].unsqueeze(-1)
            ys.append(torch.sum(h * C[:, t].unsqueeze(1), dim=-1))
            t = t + 1
        return torch.stack(ys, dim=1)


def cases(rng):
    for batch, length in ((2, 5), (1, 1), (3, 20)):

        def made(*shape):
            return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

        arguments = made(batch, length, 4), made(batch, length, 4), made(batch, length, 3)
        yield "Streaming(4, 3).forward", (*arguments, made(batch, length, 3)), {}
