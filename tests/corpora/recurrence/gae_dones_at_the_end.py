# expect: ASC101 safe scope=gae
import torch


def gae(rewards, values, dones, next_value, next_done, gamma=0.99, lam=0.95):
    num_steps = rewards.shape[0]
    advantages = torch.zeros_like(rewards)
    lastgaelam = 0
    for t in reversed(range(num_steps)):
        if t == num_steps - 1:
            nextnonterminal = 1.0 - next_done
            nextvalues = next_value
        else:
            nextnonterminal = 1.0 - dones[t + 1]
            nextvalues = values[t + 1]
        delta = rewards[t] + gamma * nextvalues * nextnonterminal - values[t]
        advantages[t] = lastgaelam = delta + gamma * lam * nextnonterminal * lastgaelam
    returns = advantages + values
    return advantages, returns


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 2, 9):
        d = lambda *s: torch.tensor(rng.random(s) < 0.2, dtype=torch.float32)
        yield (
            "gae",
            (
                draw(rng, n, 4, grad=False),
                draw(rng, n, 4, grad=False),
                d(n, 4),
                draw(rng, 4, grad=False),
                d(4),
            ),
            {},
        )
