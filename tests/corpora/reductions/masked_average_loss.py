# expect: ASC106 safe scope=TokenLoss.forward
import torch
import torch.nn.functional as F
from torch import nn


class TokenLoss(nn.Module):
    def forward(self, logits, labels, mask):
        """Average negative log likelihood of the unmasked positions of (B, T, V) logits."""
        logp = F.log_softmax(logits, dim=-1)
        loss = torch.zeros((), dtype=logits.dtype)
        weight = torch.zeros((), dtype=logits.dtype)
        for t in range(logits.shape[1]):
            picked = logp[:, t].gather(-1, labels[:, t, None]).squeeze(-1)
            loss = loss - (picked * mask[:, t]).sum()
            weight = weight + mask[:, t].sum()
        return loss / weight


def cases(rng):
    logits = torch.tensor(rng.standard_normal((2, 9, 5)), dtype=torch.float32, requires_grad=True)
    labels = torch.tensor(rng.integers(0, 5, (2, 9)))
    mask = torch.tensor([[1.0] * 9, [1.0] * 4 + [0.0] * 5])
    yield "TokenLoss()", (logits, labels, mask), {}
