# expect: RED504 advice scope=Writer.generate

import torch
from torch import nn
from torch.nn import functional as F


class Writer(nn.Module):
    def __init__(self, words=11, window=4):
        super().__init__()
        self.embed = nn.Embedding(words, 5)
        self.head = nn.Linear(5, words)
        self.window = window

    def forward(self, idx, targets=None):
        logits = self.head(self.embed(idx).cumsum(dim=1))
        return logits, None

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0):
        for _ in range(max_new_tokens):
            idx_cond = idx if idx.size(1) <= self.window else idx[:, -self.window :]
            logits, _ = self(idx_cond)
            logits = logits[:, -1, :] / temperature
            probs = F.softmax(logits, dim=-1)
            idx_next = torch.multinomial(probs, num_samples=1)
            idx = torch.cat((idx, idx_next), dim=1)
        return idx


def cases(rng):
    yield "Writer().generate", (torch.tensor([[1, 2, 3]]), 5), {}
