# expect: ASC101 safe scope=<module>
from argparse import ArgumentParser

import torch

parser = ArgumentParser()
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--gamma", type=float, default=0.9)
args = parser.parse_args([])
args.seed = 3
torch.manual_seed(args.seed)

rewards = torch.rand(args.steps, 4)
returns = torch.zeros(args.steps, 4)
running = torch.zeros(4)
for t in reversed(range(args.steps)):
    running = rewards[t] + args.gamma * running
    returns[t] = running


def cases(rng):
    yield "lambda: returns", (), {}
