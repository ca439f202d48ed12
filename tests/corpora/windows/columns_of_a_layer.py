# expect: LOC309 safe scope=UnfoldConv.forward
import torch
import torch.nn as nn
import torch.nn.functional as F


class UnfoldConv(nn.Module):
    def __init__(self, in_ch, out_ch, ks=3):
        super().__init__()
        self.ks = ks
        self.out_ch = out_ch
        self.weight = nn.Parameter(torch.randn(out_ch, in_ch * ks * ks))

    def forward(self, x):
        b, c, h, w = x.shape
        cols = F.unfold(x, self.ks, padding=self.ks // 2)
        out = self.weight @ cols
        return out.view(b, self.out_ch, h, w)


def cases(rng):
    yield (
        "UnfoldConv(3, 4)",
        (torch.from_numpy(rng.standard_normal((2, 3, 7, 9))).float().requires_grad_(),),
        {},
    )
