# expect: ASC101 safe scope=discounted_returns
import torch


@torch.no_grad()
def discounted_returns(rewards, dones, gamma=0.99):
    """Rewards and done flags are (time, envs); the return restarts after an episode ends."""
    T = rewards.size(0)
    returns = torch.zeros_like(rewards)
    running = torch.zeros_like(rewards[0])
    for t in reversed(range(T)):
        running = rewards[t] + gamma * running * (1.0 - dones[t])
        returns[t] = running
    return returns


def cases(rng):
    for T, envs in ((1, 1), (2, 3), (64, 5)):
        rewards = torch.tensor(rng.standard_normal((T, envs)), dtype=torch.float32)
        dones = torch.tensor(rng.random((T, envs)) < 0.2).float()
        yield "discounted_returns", (rewards, dones), {}
