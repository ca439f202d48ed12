# expect: ASC108 safe scope=GemmaRMSNorm._norm
import torch


class GemmaRMSNorm(torch.nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.zeros(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        output = self._norm(x.float())
        output = output * (1.0 + self.weight.float())
        return output.type_as(x)


def cases(rng):
    yield "GemmaRMSNorm(6)", (torch.randn(2, 3, 6, requires_grad=True),), {}
