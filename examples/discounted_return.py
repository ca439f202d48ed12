"""What is a step worth, when later rewards count less?

The return of a step is its reward plus a little less than the return of the next one, so it is
computed from the end of the episode backwards.
"""

import torch
from torch import Tensor


def discounted_return(rewards: Tensor, done: Tensor, gamma: float = 0.99) -> Tensor:
    """rewards, done: (time, environments); done is 1 where an episode ends."""
    returns = torch.zeros_like(rewards)
    future = torch.zeros_like(rewards[0])
    for t in reversed(range(rewards.shape[0])):
        future = rewards[t] + gamma * (1 - done[t]) * future
        returns[t] = future
    return returns


def discounted_return_inputs(time=1024, environments=64):
    torch.manual_seed(0)
    rewards = torch.randn(time, environments)
    done = (torch.rand(time, environments) < 0.01).float()
    return rewards, done


if __name__ == "__main__":
    returns = discounted_return(*discounted_return_inputs())
    print(tuple(returns.shape), f"{returns.std():.3f}")
