# expect: ASC109 safe scope=in_three_steps
# expect: ASC109 safe scope=Attention.forward
# refuse: ASC109 the weights are read
import torch


def in_three_steps(q, k, v):
    q = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    q = q.softmax(dim=-1)
    return q @ v


def kept(q, k, v):
    q = q @ k.transpose(-2, -1)
    q = q.softmax(dim=-1)
    return q @ v, q.amax()


def changed_in_between(q, k, v):
    p = q @ k.transpose(-2, -1)
    q = p * q.shape[-1]
    p.mul_(2)
    q = q.softmax(dim=-1)
    return q @ v


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(4, 12)

    def forward(self, x):
        q, k, x = self.qkv(x).chunk(3, dim=-1)
        k = torch.softmax(torch.matmul(q, k.mT) / 2, dim=-1)
        return torch.matmul(k, x)


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    for b, n, m in ((2, 5, 7), (1, 1, 1), (3, 1, 2)):
        q, k, v = normal(rng, b, n, 4), normal(rng, b, m, 4), normal(rng, b, m, 3)
        for name in ("in_three_steps", "kept", "changed_in_between"):
            yield name, (q, k, v), {}
        yield "Attention()", (normal(rng, b, n, 4),), {}
