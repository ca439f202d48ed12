# expect: ASC101 safe scope=RolloutStorage.compute_returns
# The arrays are the object's own, and the loop fills one of them item by item.
import torch


class RolloutStorage:
    def __init__(self, steps, processes):
        self.rewards = torch.zeros(steps, processes, 1)
        self.value_preds = torch.zeros(steps + 1, processes, 1)
        self.returns = torch.zeros(steps + 1, processes, 1)
        self.masks = torch.ones(steps + 1, processes, 1)

    def insert(self, step, reward, value, mask):
        self.rewards[step].copy_(reward)
        self.value_preds[step].copy_(value)
        self.masks[step + 1].copy_(mask)

    def compute_returns(self, next_value, use_gae, gamma, gae_lambda):
        if use_gae:
            self.value_preds[-1] = next_value
            gae = 0
            for step in reversed(range(self.rewards.size(0))):
                delta = (
                    self.rewards[step]
                    + gamma * self.value_preds[step + 1] * self.masks[step + 1]
                    - self.value_preds[step]
                )
                gae = delta + gamma * gae_lambda * self.masks[step + 1] * gae
                self.returns[step] = gae + self.value_preds[step]
        else:
            self.returns[-1] = next_value
            for step in reversed(range(self.rewards.size(0))):
                self.returns[step] = (
                    self.returns[step + 1] * gamma * self.masks[step + 1] + self.rewards[step]
                )


def returns_of(rewards, values, masks, next_value, use_gae):
    storage = RolloutStorage(*rewards.shape[:2])
    for step in range(len(rewards)):
        storage.insert(step, rewards[step], values[step], masks[step])
    storage.compute_returns(next_value, use_gae, 0.9, 0.8)
    return storage.returns, storage.value_preds


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    for n in (1, 6):
        for use_gae in (True, False):
            given = draw(n, 3, 1), draw(n, 3, 1), draw(n, 3, 1).round(), draw(3, 1)
            yield "returns_of", (*given, use_gae), {}
