# expect: ASC101 safe scope=ReinforceLoss.forward
import torch
from torch import nn


class ReinforceLoss(nn.Module):
    def __init__(self, gamma: float = 0.98):
        super().__init__()
        self.gamma = gamma

    def forward(self, log_probs, rewards):
        # both (batch, time)
        R = torch.zeros(rewards.shape[0], dtype=rewards.dtype, device=rewards.device)
        returns = []
        for t in range(rewards.shape[1] - 1, -1, -1):
            R = rewards[:, t] + self.gamma * R
            returns.insert(0, R)
        returns = torch.stack(returns, dim=1)
        return -(log_probs * returns.detach()).mean(), returns


def cases(rng):
    for batch, time in ((1, 1), (1, 2), (4, 40)):
        log_probs = torch.tensor(-rng.random((batch, time)), dtype=torch.float32)
        rewards = torch.tensor(rng.standard_normal((batch, time)), dtype=torch.float32)
        yield "ReinforceLoss()", (log_probs.requires_grad_(), rewards), {}
