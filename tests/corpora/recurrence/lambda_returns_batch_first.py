# expect: ASC101 safe scope=returns
import numpy as np
import torch


def returns(reward, value, done, last, gamma=0.99, lam=0.95):
    kept = []
    for t in reversed(range(reward.shape[1])):
        ahead = (1 - lam) * value[:, t] + lam * last
        last = reward[:, t] + gamma * (1 - done[:, t]) * ahead
        kept.append(last)
    return torch.stack(kept[::-1], 1)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.uniform(0.1, 0.9, shape).astype(np.float32)).requires_grad_()

    for length in (1, 6):
        arrays = tuple(tensor(3, length) for _ in range(3))
        yield "returns", (*arrays, tensor(3)), {}
