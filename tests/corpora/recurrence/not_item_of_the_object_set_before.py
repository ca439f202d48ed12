# refuse: ASC101 the item is another one after it is set
import torch


class Agent:
    def __init__(self, config):
        self.config = config

    def returns(self, rewards: torch.Tensor):
        R = torch.zeros_like(rewards[0])
        out = []
        before = self.config["gamma"]
        self.config["gamma"] = 0.5
        for r in rewards:
            R = r + (self.config["gamma"] - before) * R
            out.append(R)
        return torch.stack(out)


def run(r):
    return Agent({"gamma": 0.9}).returns(r)


def cases(rng):
    for steps in (1, 2, 41):
        yield "run", (torch.tensor(rng.standard_normal((steps, 4))),), {}
