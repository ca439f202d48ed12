# expect: ASC108 unsafe scope=Block.norm
# expect: ASC107 unsafe scope=softmax
# expect: ASC108 safe scope=kept
import torch


class Block(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.g = torch.nn.Parameter(torch.ones(d))
        self.f = torch.nn.Linear(d, d)

    def norm(self, x):
        mu = x.mean(-1, keepdim=True)
        var = (x - mu).pow(2).mean(-1, keepdim=True)
        return self.g * (x - mu) / torch.sqrt(var + 1e-5)

    def forward(self, x):
        h = self.f(self.norm(x))
        x += h
        return x


def softmax(x):
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


def kept(x):
    mu = x.mean(-1, keepdim=True)
    var = (x - mu).pow(2).mean(-1, keepdim=True)
    return (x - mu) / torch.sqrt(var + 1e-5)


def shifted(x):
    y = softmax(x)
    y += 1
    return y


def normed(x):
    y = kept(x)
    y += x
    return y


def twice(x):
    torch.manual_seed(0)
    block = Block(4).to(x.dtype)
    return block(block(x * 1))


def cases(rng):
    for name in ("shifted", "normed", "twice"):
        yield name, (torch.tensor(rng.normal(size=(3, 4)), requires_grad=True),), {}
