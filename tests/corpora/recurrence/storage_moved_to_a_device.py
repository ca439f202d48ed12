# expect: ASC101 safe scope=Storage.returns_from

import torch


class Storage:
    def __init__(self, steps, envs):
        self.rewards = torch.zeros(steps, envs, 1)
        self.returns = torch.zeros(steps + 1, envs, 1)
        self.open = torch.ones(steps + 1, envs, 1)

    def to(self, device):
        self.rewards = self.rewards.to(device)
        self.returns = self.returns.to(device=device, non_blocking=True)
        self.open = self.open.contiguous().to("cpu")

    def returns_from(self, last, discount):
        self.returns[-1] = last
        for t in reversed(range(self.rewards.size(0))):
            self.returns[t] = self.returns[t + 1] * discount * self.open[t + 1] + self.rewards[t]


def filled(rewards, last, discount, moved):
    storage = Storage(*rewards.shape[:2])
    storage.rewards.copy_(rewards)
    storage.open.copy_((torch.arange(storage.open.numel()) % 3 > 0).view_as(storage.open))
    if moved:
        storage.to(torch.device("cpu"))
    storage.returns_from(last, discount)
    return storage.returns


def cases(rng):
    for steps, envs, moved in ((7, 3, True), (1, 2, False), (0, 2, True)):
        rewards = torch.tensor(rng.standard_normal((steps, envs, 1)), dtype=torch.float32)
        last = torch.tensor(rng.standard_normal((envs, 1)), dtype=torch.float32)
        yield "filled", (rewards, last, 0.9, moved), {}
