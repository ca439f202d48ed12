# expect: ASC101 safe scope=Buffer.advantages
# expect: ASC101 safe scope=Buffer.discounted
# expect: ASC101 safe scope=products
# expect: ASC101 safe scope=bound_again
import numpy as np


class Buffer:
    def __init__(self, n, gamma, lam):
        self.rewards = np.zeros(n)
        self.values = np.zeros(n)
        self.dones = np.zeros(n)
        self.gamma, self.lam = gamma, lam

    def advantages(self, last_value, done):
        last = 0
        adv = np.zeros_like(self.rewards)
        for step in reversed(range(len(self.rewards))):
            if step == len(self.rewards) - 1:
                nonterminal = 1.0 - done
                nxt = last_value
            else:
                nonterminal = 1.0 - self.dones[step + 1]
                nxt = self.values[step + 1]
            delta = self.rewards[step] + self.gamma * nxt * nonterminal - self.values[step]
            last = delta + self.gamma * self.lam * nonterminal * last
            adv[step] = last
        return adv + self.values, adv

    def discounted(self, last_value, done):
        last = 0
        adv = np.zeros_like(self.rewards)
        for step in reversed(range(len(self.rewards))):
            if step == len(self.rewards) - 1:
                nonterminal = 1.0 - done
                nxt = last_value
            else:
                nonterminal = 1.0 - self.dones[step + 1]
                nxt = self.values[step + 1]
            delta = self.rewards[step] + self.gamma * nxt * nonterminal - self.values[step]
            last = delta + self.gamma * self.lam * last
            adv[step] = last
        return adv


def products(
    dones: np.ndarray, values: np.ndarray, last_value: np.ndarray, done: np.ndarray, g: float
):
    last = 0
    adv = np.zeros_like(values)
    for step in reversed(range(len(values))):
        delta = (1.0 - done if step == len(values) - 1 else 1.0 - dones[step + 1]) * (
            last_value if step == len(values) - 1 else values[step + 1]
        )
        last = delta + g * last
        adv[step] = last
    return adv


def bound_again(x: np.ndarray, y: np.ndarray, last: np.ndarray, g: float):
    h = x[0] * 0
    out = np.zeros_like(x)
    for t in reversed(range(len(x))):
        following = last if t == len(x) - 1 else x[t + 1]
        doubled = 2 * following
        following = last if t == len(x) - 1 else y[t + 1]
        h = doubled - following + g * h
        out[t] = h
    return out


def advantages_of(rewards, values, dones, last_value, done):
    buffer = Buffer(len(rewards), 0.9, 0.95)
    buffer.rewards[:], buffer.values[:], buffer.dones[:] = rewards, values, dones
    return buffer.advantages(last_value, done), buffer.discounted(last_value, done)


def cases(rng):
    for n in (1, 2, 7):
        rewards, values = rng.normal(size=n), rng.normal(size=n)
        dones = (rng.random(n) < 0.3).astype(float)
        yield "advantages_of", (rewards, values, dones, 0.7, 0.0), {}
        last, done = rng.normal(size=()), np.array(0.25)
        yield "products", (dones, values, last, done, 0.9), {}
        yield "bound_again", (rewards, values, last, 0.9), {}
