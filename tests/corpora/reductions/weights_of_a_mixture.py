# expect: ASC106 unsafe scope=Mixture.forward
import torch


class Mixture(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.logits = torch.nn.Parameter(torch.arange(float(n)))

    def forward(self, layers):
        w = self.logits.softmax(dim=0)
        mixed = torch.zeros_like(layers[0])
        for i in range(len(layers)):
            mixed += w[i] * layers[i]
        return mixed


def cases(rng):
    for shape in ((3, 2, 4, 3), (3, 2, 4, 5), (3, 3), (3,)):
        yield "Mixture(3)", (torch.tensor(rng.standard_normal(shape), dtype=torch.float32),), {}
