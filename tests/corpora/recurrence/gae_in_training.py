# expect: ASC101 safe scope=train
from types import SimpleNamespace

import torch


def train(args, envs, agent, device):
    """Rollouts are written by calls without notation; the value after the last step is a row of
    one."""
    rewards = torch.zeros((args.num_steps, args.num_envs)).to(device)
    dones = torch.zeros((args.num_steps, args.num_envs)).to(device)
    values = torch.zeros((args.num_steps, args.num_envs)).to(device)
    seen = []
    for _ in range(args.iterations):
        for step in range(args.num_steps):
            dones[step] = envs.done()
            with torch.no_grad():
                values[step] = agent.value().flatten()
            rewards[step] = torch.tensor(envs.reward()).to(device).view(-1)
        next_done = envs.done()
        with torch.no_grad():
            next_value = agent.value().reshape(1, -1)
            advantages = torch.zeros_like(rewards).to(device)
            lastgaelam = 0
            for t in reversed(range(args.num_steps)):
                if t == args.num_steps - 1:
                    nextnonterminal = 1.0 - next_done
                    nextvalues = next_value
                else:
                    nextnonterminal = 1.0 - dones[t + 1]
                    nextvalues = values[t + 1]
                delta = rewards[t] + args.gamma * nextvalues * nextnonterminal - values[t]
                advantages[t] = lastgaelam = (
                    delta + args.gamma * args.gae_lambda * nextnonterminal * lastgaelam
                )
            returns = advantages + values
        seen.append(agent.update(returns))
    return torch.stack(seen)


class Environments:
    def __init__(self, count):
        self.count = count

    def reward(self):
        return torch.randn(self.count).tolist()

    def done(self):
        return (torch.rand(self.count) < 0.2).float()


class Agent:
    def __init__(self, count):
        self.count = count

    def value(self):
        return torch.randn(self.count, 1)

    def update(self, returns):
        return returns.clone()


def cases(rng):
    for steps, count in ((5, 3), (1, 2), (4, 1)):
        args = SimpleNamespace(
            num_steps=steps, num_envs=count, iterations=2, gamma=0.9, gae_lambda=0.8
        )
        yield "train", (args, Environments(count), Agent(count), "cpu"), {}
