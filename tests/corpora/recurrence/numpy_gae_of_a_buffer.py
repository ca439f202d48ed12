# expect: ASC101 safe scope=RolloutBuffer.compute_returns_and_advantage
import numpy as np


class RolloutBuffer:
    def __init__(
        self, buffer_size: int, n_envs: int, gamma: float = 0.99, gae_lambda: float = 0.95
    ):
        self.buffer_size = buffer_size
        self.n_envs = n_envs
        self.gamma = gamma
        self.gae_lambda = gae_lambda
        self.reset()

    def reset(self) -> None:
        self.rewards = np.zeros((self.buffer_size, self.n_envs), dtype=np.float32)
        self.values = np.zeros((self.buffer_size, self.n_envs), dtype=np.float32)
        self.episode_starts = np.zeros((self.buffer_size, self.n_envs), dtype=np.float32)
        self.advantages = np.zeros((self.buffer_size, self.n_envs), dtype=np.float32)
        self.returns = np.zeros((self.buffer_size, self.n_envs), dtype=np.float32)

    def compute_returns_and_advantage(self, last_values: np.ndarray, dones: np.ndarray) -> None:
        last_gae_lam = 0
        for step in reversed(range(self.buffer_size)):
            if step == self.buffer_size - 1:
                next_non_terminal = 1.0 - dones.astype(np.float32)
                next_values = last_values
            else:
                next_non_terminal = 1.0 - self.episode_starts[step + 1]
                next_values = self.values[step + 1]
            delta = (
                self.rewards[step]
                + self.gamma * next_values * next_non_terminal
                - self.values[step]
            )
            last_gae_lam = delta + self.gamma * self.gae_lambda * next_non_terminal * last_gae_lam
            self.advantages[step] = last_gae_lam
        self.returns = self.advantages + self.values


def run(rewards, values, starts, last, dones):
    buf = RolloutBuffer(*rewards.shape)
    buf.rewards[:], buf.values[:], buf.episode_starts[:] = rewards, values, starts
    buf.compute_returns_and_advantage(last, dones)
    return buf.advantages, buf.returns


def cases(rng):
    for steps, envs in ((1, 2), (2, 1), (50, 3)):
        shapes = [(steps, envs)] * 2
        rewards, values = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
        starts, dones = (
            (rng.random(shape) < 0.1).astype(np.float32) for shape in ((steps, envs), (envs,))
        )
        last = rng.standard_normal(envs).astype(np.float32)
        yield "run", (rewards, values, starts, last, dones), {}
