# expect: SPA403 safe scope=Mixture.along
# expect: SPA403 safe scope=Mixture.repeated
# expect: SPA403 safe scope=Mixture.weighed
# expect: SPA403 safe scope=Mixture.listed
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.gate = nn.Linear(size, count)
        self.experts = nn.ModuleList(
            [nn.Sequential(nn.Linear(size, 5), nn.GELU(), nn.Linear(5, size)) for _ in range(count)]
        )

    def along(self, x):
        weights, places = self.gate(x).softmax(dim=-1).topk(2, dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        best = torch.take_along_dim(outputs, places.unsqueeze(-1), dim=1)
        return (best * weights.unsqueeze(-1)).sum(dim=1)

    def repeated(self, x):
        weights, places = self.gate(x).softmax(dim=-1).topk(2, dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        best = outputs.gather(1, places.unsqueeze(-1).repeat(1, 1, outputs.shape[-1]))
        return (best * weights.unsqueeze(-1)).sum(dim=1)

    def weighed(self, x):
        weights, places = self.gate(x).softmax(dim=-1).max(dim=-1, keepdim=True)
        total = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            total = total + torch.where(places == i, weights * expert(x), torch.zeros_like(x))
        return total

    def listed(self, x):
        rows, size = x.shape
        places = self.gate(x).argmax(dim=1)
        outputs = torch.stack([expert(x) for expert in self.experts])
        return outputs[places, torch.arange(rows)]


def cases(rng):
    for name in ("along", "repeated", "weighed", "listed"):
        yield f"Mixture(4, 5).{name}", (torch.randn(7, 4, requires_grad=True),), {}
        yield f"Mixture(3, 2).{name}", (torch.randn(1, 3),), {}
