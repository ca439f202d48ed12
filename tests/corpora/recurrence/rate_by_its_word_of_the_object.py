# expect: ASC101 safe scope=Agent.returns
import torch


class Agent:
    def __init__(self, config):
        self.config = config

    def returns(self, rewards: torch.Tensor):
        R = torch.zeros_like(rewards[0])
        out = []
        for r in rewards.flip(0):
            R = r + self.config["gamma"] * R
            out.append(R)
        return torch.stack(out).flip(0)


def run(r):
    return Agent({"gamma": 0.9}).returns(r)


def cases(rng):
    for steps in (1, 2, 41):
        yield "run", (torch.tensor(rng.standard_normal((steps, 4))).requires_grad_(),), {}
