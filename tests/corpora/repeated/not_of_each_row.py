# refuse: RED502 whether any element is set is no answer for each row
from types import SimpleNamespace

import torch
import torch.nn as nn


class Routed(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.route = nn.Linear(settings.width, settings.parts, bias=False)
        self.parts = nn.ModuleList(
            [nn.Linear(settings.width, settings.width) for _ in range(settings.parts)]
        )
        self.settings = settings

    def forward(self, x):
        weights, places = torch.topk(
            torch.softmax(self.route(x), dim=-1), k=self.settings.chosen, dim=-1
        )
        out = torch.zeros_like(x)
        for number, part in enumerate(self.parts):
            here = places == number
            if here.any():
                rows = here.any(dim=-1).nonzero().flatten()
                out.index_add_(0, rows, part(x[rows]) * weights[here].view(-1, 1))
        return out


def made(chosen: int):
    return Routed(SimpleNamespace(width=4, parts=3, chosen=chosen))


def cases(rng):
    yield "made(2)", (torch.from_numpy(rng.normal(size=(5, 4))).float(),), {}
    yield "made(1)", (torch.from_numpy(rng.normal(size=(1, 4))).float(),), {}
