# expect: ASC101 safe scope=retrace
# expect: ASC101 safe scope=listed
import numpy as np
import torch


def retrace(q, v, rewards, traces, gamma):
    targets = torch.zeros_like(rewards)
    g = v[-1]
    for t in reversed(range(rewards.shape[0])):
        g = rewards[t] + gamma * (v[t + 1] + traces[t] * (g - q[t]))
        targets[t] = g
    return targets


def listed(q, v, rewards, traces, gamma):
    targets = []
    g = v[-1]
    for t in range(rewards.shape[0] - 1, -1, -1):
        g = rewards[t] + gamma * (v[t + 1] + traces[t] * (g - q[t]))
        targets.append(g)
    return torch.stack(targets[::-1])


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        made = torch.from_numpy(rng.standard_normal(shape).astype(np.float32))
        return made.requires_grad_(True)

    for name in ("retrace", "listed"):
        for length, shape in ((1, (3,)), (7, ()), (4, (2, 3))):
            rows = tuple(tensor(length, *shape) for _ in range(3))
            yield name, (rows[0], tensor(length + 1, *shape), *rows[1:], 0.9), {}
        rows = tensor(4, 3), tensor(5), tensor(4, 3), tensor(4, 3)
        yield name, (*rows, 0.9), {}
