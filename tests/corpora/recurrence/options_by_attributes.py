# expect: ASC101 safe scope=smooth
# expect: ASC101 safe scope=advantages
from types import SimpleNamespace

import torch


def smooth(x: torch.Tensor, options):
    batch, steps, width = x.shape
    h, out = torch.zeros(batch, width), []
    for t in range(steps):
        h = options.decay * h + options.gain * x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def advantages(args, rewards: torch.Tensor, values: torch.Tensor, dones: torch.Tensor, last, done):
    found = torch.zeros_like(rewards)
    gae = 0
    for t in reversed(range(args.num_steps)):
        if t == args.num_steps - 1:
            going, following = 1.0 - done, last
        else:
            going, following = 1.0 - dones[t + 1], values[t + 1]
        delta = rewards[t] + args.gamma * following * going - values[t]
        found[t] = gae = delta + args.gamma * args.gae_lambda * going * gae
    return found + values


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for n in (1, 2, 9):
        options = SimpleNamespace(decay=0.9, gain=0.1, gamma=0.99, gae_lambda=0.95, num_steps=n)
        yield "smooth", (draw(2, n, 3).requires_grad_(), options), {}
        dones = (draw(n, 4) > 1).float()
        yield "advantages", (options, draw(n, 4), draw(n, 4), dones, draw(4), dones[-1]), {}
