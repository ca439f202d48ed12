# expect: ASC109 unsafe scope=Heads.forward

import math

import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, width, heads, rate):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.drop = nn.Dropout(rate)

    def forward(self, x):
        n, t, c = x.shape
        q, k, v = self.qkv(x).view(n, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(c // self.heads)
        weights = self.drop(torch.softmax(scores, dim=-1))
        return (weights @ v).transpose(1, 2).reshape(n, t, c)


class Model(nn.Module):
    def __init__(self, width, heads, drop_rate=0.3):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attend = Heads(width, heads, rate=drop_rate)

    def forward(self, x):
        return x + self.attend(self.norm(x))


WIDTH, HEADS = 24, 3


def train(x):
    return Model(WIDTH, HEADS, 0.2)(x)


def get_inputs():
    return [torch.rand(2, 7, WIDTH)]


def get_init_inputs():
    return [WIDTH, HEADS, 0.0]


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 7, WIDTH)), dtype=torch.float32, requires_grad=True)
    yield "Model(*get_init_inputs()).eval()", (x,), {}
