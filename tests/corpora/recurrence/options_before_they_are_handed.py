# expect: ASC101 safe scope=<module>
from types import SimpleNamespace

import torch


def parse_args():
    args = SimpleNamespace(steps=6, gamma=0.9)
    args.half = args.steps // 2
    return args


def save(options):
    options.steps = 0


args = parse_args()
torch.manual_seed(0)
rewards = torch.rand(args.steps, 4)
returns = torch.zeros(args.steps, 4)
running = torch.zeros(4)
for t in range(args.steps)[::-1]:
    if t == args.steps - 1:
        following = torch.ones(4)
    else:
        following = rewards[t + 1]
    running = rewards[t] + following + args.gamma * running
    returns[t] = running
save(args)


def cases(rng):
    yield "lambda: returns", (), {}
