# expect: ASC102 safe scope=scanned
import torch


def scanned(u, delta, A, B, C, D):
    batch, dim, length = u.shape
    n = A.shape[1]
    x = A.new_zeros((batch, dim, n))
    decay = torch.exp(delta.unsqueeze(-1) * A[None, :, None, :])
    drive = (delta * u).unsqueeze(-1) * B.transpose(1, 2).unsqueeze(1)
    ys = []
    for i in range(length):
        x = decay[:, :, i] * x + drive[:, :, i]
        ys.append((x * C[:, :, i].unsqueeze(1)).sum(-1))
    y = torch.stack(ys, dim=2)
    return y + u * D.view(1, -1, 1)


def cases(rng):
    for batch, dim, length, n in ((2, 3, 5, 4), (1, 1, 1, 1), (1, 2, 7, 1)):
        u, delta = torch.randn(batch, dim, length), torch.rand(batch, dim, length)
        A, D = -torch.rand(dim, n), torch.randn(dim)
        B, C = torch.randn(batch, n, length), torch.randn(batch, n, length)
        yield "scanned", (u, delta, A, B, C, D), {}
