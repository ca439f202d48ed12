# expect: ASC101 safe scope=Buffer.advantages_of
"""The array that the loop fills is an attribute, made like one that the constructor is given."""

import numpy as np


class Buffer:
    def __init__(self, rewards, values, starts, gamma=0.99, lam=0.95):
        self.rewards, self.values, self.starts = rewards, values, starts
        self.gamma, self.lam = gamma, lam
        self.size = rewards.shape[0]
        self.advantages = np.zeros_like(rewards)

    def advantages_of(self, last_values, dones):
        last = 0
        for step in reversed(range(self.size)):
            if step == self.size - 1:
                going_on = 1.0 - dones
                following = last_values
            else:
                going_on = 1.0 - self.starts[step + 1]
                following = self.values[step + 1]
            delta = self.rewards[step] + self.gamma * following * going_on - self.values[step]
            last = delta + self.gamma * self.lam * going_on * last
            self.advantages[step] = last
        return self.advantages + self.values


def cases(rng):
    for n in (1, 2, 6):
        made = f"np.ones(({n}, 3)), np.arange({3 * n}.0).reshape({n}, 3), np.zeros(({n}, 3))"
        yield f"Buffer({made}).advantages_of", (rng.normal(size=3), np.zeros(3)), {}
