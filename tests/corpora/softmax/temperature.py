# expect: ASC107 safe scope=Sampler.distribution
import torch


class Sampler:
    def __init__(self, temperature: float):
        self.temperature = temperature

    def distribution(self, logits):
        scaled = logits / self.temperature
        scaled = scaled - scaled.max(dim=-1, keepdim=True)[0]
        unnorm = scaled.exp()
        total = unnorm.sum(-1).unsqueeze(-1)
        return unnorm / total


def cases(rng):
    logits = torch.tensor(rng.standard_normal((2, 19)), dtype=torch.float32, requires_grad=True)
    for temperature in (0.3, 1.7):
        yield f"Sampler({temperature}).distribution", (logits,), {}
