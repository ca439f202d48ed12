# expect: ASC101 safe scope=gae
import numpy as np
import torch


def gae(rewards, values, dones, next_value, next_done, gamma=0.99, lam=0.95):
    with torch.no_grad():
        advantages = torch.zeros_like(rewards)
        lastgaelam = 0
        num_steps = rewards.shape[0]
        for t in reversed(range(num_steps)):
            if t == num_steps - 1:
                nextnonterminal = 1.0 - next_done
                nextvalues = next_value
            else:
                nextnonterminal = 1.0 - dones[t + 1]
                nextvalues = values[t + 1]
            delta = rewards[t] + gamma * nextvalues * nextnonterminal - values[t]
            advantages[t] = lastgaelam = delta + gamma * lam * nextnonterminal * lastgaelam
    return advantages, advantages + values


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32))

    for length in (1, 6):
        arrays = tuple(tensor(length, 3) for _ in range(3))
        yield "gae", (*arrays, tensor(1, 3), tensor(3)), {}
        yield "gae", (*arrays, tensor(3), tensor(3)), {}
    yield "gae", (tensor(5), tensor(5), tensor(5), tensor(1), tensor(1)), {}
