# refuse: `step` is listed as a name of the module
import torch

__all__ = ["curve", "step"]

rewards = torch.ones(40, 3)
level = torch.zeros(3)
levels = []
for step in range(rewards.shape[0]):
    level = 0.9 * level + rewards[step]
    levels.append(level)
curve = torch.stack(levels)


def cases(rng):
    yield "lambda: (levels, curve, level, step)", (), {}
