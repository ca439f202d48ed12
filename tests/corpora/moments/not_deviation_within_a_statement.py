# refuse: ASC108 another axis, another divisor, a mean that is only asked for sometimes, and one
# refuse: ASC108 of what was changed in between
import torch


def across(x: torch.Tensor):
    return (x - x.mean(1)) / (x.std(0) + 1e-8)


def kept(x: torch.Tensor):
    return (x - x.mean(0, keepdim=True)) / (x.std(0) + 1e-8)


def other(x: torch.Tensor, y: torch.Tensor):
    return (x - y.mean(0)) / (x.std(0) + 1e-8)


def sometimes(x: torch.Tensor, centred: bool):
    return (x.mean(0) if centred else 0.0) + x.std(0)


def scaled_first(x: torch.Tensor):
    centre = x.mean(0)
    y = x.mul_(2.0)
    return centre + y, x.std(0)


def changed(x: torch.Tensor):
    return x.mean(0), x.mul_(2.0), x.std(0)


def cases(rng):
    for name in ("across", "kept", "scaled_first", "changed"):
        yield name, (torch.tensor(rng.normal(size=(5, 5))),), {}
    x = torch.tensor(rng.normal(size=(5, 5)))
    yield "other", (x, x + 1), {}
    yield "sometimes", (x, True), {}
    yield "sometimes", (x, False), {}
