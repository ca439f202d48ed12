# expect: LOC309 safe scope=Stem.forward
import torch
import torch.nn as nn
import torch.nn.functional as F


class Stem(nn.Module):
    def __init__(self, c, d, k=3):
        super().__init__()
        self.k, self.s = k, 2
        self.w = nn.Parameter(torch.randn(d, c * k * k))

    def forward(self, img):
        b, c, h, w = img.shape
        cols = F.unfold(img, kernel_size=(self.k, self.k), stride=self.s, padding=1)
        tokens = cols.transpose(1, 2) @ self.w.T
        return tokens.reshape(b, -1)


def cases(rng):
    yield (
        "Stem(3, 5)",
        (torch.from_numpy(rng.standard_normal((2, 3, 7, 9))).float().requires_grad_(),),
        {},
    )
