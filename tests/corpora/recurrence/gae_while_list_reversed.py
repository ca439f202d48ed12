# expect: ASC101 safe scope=RolloutBuffer.advantages
import torch


class RolloutBuffer:
    def __init__(self, gamma, lam):
        self.gamma = gamma
        self.lam = lam

    def advantages(self, rewards, values, masks):
        """rewards, masks: (T, N); values: (T + 1, N), the last row is the bootstrap value."""
        deltas = rewards + self.gamma * values[1:] * masks - values[:-1]
        gae = torch.zeros_like(deltas[0])
        collected = []
        t = deltas.shape[0] - 1
        while t >= 0:
            gae = deltas[t] + self.gamma * self.lam * masks[t] * gae
            collected.append(gae)
            t -= 1
        return torch.stack(collected[::-1])


def cases(rng):
    for T in (1, 2, 37):
        rewards = torch.tensor(rng.standard_normal((T, 4)), dtype=torch.float32)
        values = torch.tensor(rng.standard_normal((T + 1, 4)), dtype=torch.float32)
        masks = torch.tensor(rng.random((T, 4)) < 0.8).float()
        yield "RolloutBuffer(0.99, 0.95).advantages", (rewards, values, masks), {}
