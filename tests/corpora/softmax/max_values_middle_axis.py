# expect: ASC107 safe scope=ClassMap.forward
# The classes are the second axis of an image batch.
import torch
from torch import nn


class ClassMap(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.head = nn.Conv2d(channels, classes, 1)

    def forward(self, features):
        scores = self.head(features)
        highest = torch.max(scores, dim=1, keepdim=True).values
        unnormalised = torch.exp(scores - highest)
        probs = torch.div(unnormalised, torch.sum(unnormalised, 1, keepdim=True))
        return probs


def cases(rng):
    features = torch.tensor(rng.standard_normal((2, 3, 4, 5)), dtype=torch.float32)
    yield "ClassMap(3, 6)", (features.requires_grad_(),), {}
