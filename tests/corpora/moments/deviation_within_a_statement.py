# expect: ASC108 safe scope=advantages
# expect: ASC108 safe scope=columns
# expect: ASC108 safe scope=scaled
# expect: ASC108 safe scope=statistics
# expect: ASC108 safe scope=unsqueezed
# expect: ASC108 safe scope=whole
import torch


def advantages(adv):
    return (adv - adv.mean()) / (adv.std() + 1e-8)


def columns(x: torch.Tensor):
    return (x - x.mean(0)) / (x.std(0) + 1e-8)


def scaled(x: torch.Tensor, gain):
    y = torch.tanh(gain) * (x - torch.mean(x, dim=1, keepdim=True))
    return y / torch.std(x, dim=1, keepdim=True)


def statistics(x):
    return {"mean": x.mean(dim=0), "spread": x.var(dim=0)}


def unsqueezed(x):
    centre = x.mean(1).unsqueeze(1)
    spread = x.var(1, unbiased=False).unsqueeze(1)
    return x.sub(centre).div(spread.add(1e-5).sqrt())


def whole(x: torch.Tensor):
    mean = x.mean()
    std = x.std()
    return (x - mean) / (std + 1e-8)


def cases(rng):
    for shape in ((5, 7), (2, 3)):
        x = torch.tensor(rng.normal(size=shape) + 3, requires_grad=True)
        for name in ("advantages", "columns", "statistics", "unsqueezed", "whole"):
            yield name, (x,), {}
        yield "scaled", (x, torch.tensor(0.5, requires_grad=True)), {}
    x = torch.tensor(rng.normal(size=(40, 33)), dtype=torch.float32)
    yield "advantages", (x,), {}
    yield "columns", (x.t(),), {}
    yield "whole", (x[::2],), {}
    yield "unsqueezed", (x.reshape(4, 10, 33),), {}
