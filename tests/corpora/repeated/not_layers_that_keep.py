# refuse: RED502 dropout draws, the norm keeps statistics, a hook changes the weights
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.norm = nn.BatchNorm1d(d)
        self.fc = nn.Linear(d, d)
        nn.utils.spectral_norm(self.fc)

    def forward(self, x):
        drawn = self.drop(x) + self.drop(x)
        kept = self.norm(x) * self.norm(x)
        return drawn + kept + self.fc(x) * torch.sigmoid(self.fc(x))


def cases(rng):
    yield "Noisy(4)", (torch.randn(3, 4),), {}
