# refuse: the module's names are read as data
import torch

rewards = torch.ones(40, 3)
level = torch.zeros(3)
levels = []
for step in range(rewards.shape[0]):
    level = 0.9 * level + rewards[step]
    levels.append(level)
curve = torch.stack(levels)
left = {name: value for name, value in globals().items() if isinstance(value, int)}


def cases(rng):
    yield "lambda: (left, curve)", (), {}
