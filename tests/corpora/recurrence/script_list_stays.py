# expect: ASC101 safe scope=<module>
# Another file may import the list; what only the loop binds is said to be nobody's.
import torch

torch.manual_seed(3)
rewards = torch.randn(40, 3)

level = torch.zeros(3)
levels = []
for step in range(rewards.shape[0]):
    scaled = 0.1 * rewards[step]
    level = 0.9 * level + scaled
    levels.append(level)
curve = torch.stack(levels)


def cases(rng):
    yield "lambda: (levels, curve, level)", (), {}
