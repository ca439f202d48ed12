# expect: ASC108 safe scope=column_statistics
# expect: ASC108 safe scope=whiten_images
# expect: ASC108 safe scope=per_channel
# expect: ASC108 safe scope=standard_scores
import torch


def column_statistics(x: torch.Tensor):
    mu = x.mean(dim=0)
    sd = x.std(dim=0)
    return mu, sd


def whiten_images(x: torch.Tensor):
    sd = torch.std(x, dim=[2, 3], keepdim=True, unbiased=False)
    mu = torch.mean(x, dim=[2, 3], keepdim=True)
    return (x - mu) / (sd + 1e-5)


def per_channel(x: torch.Tensor):
    mean = x.mean(dim=(0, 2, 3))
    std = x.std(dim=(0, 2, 3))
    return (x - mean[None, :, None, None]) / std[None, :, None, None]


def standard_scores(x: torch.Tensor):
    mean, std = x.mean(-1, keepdim=True), x.std(-1, keepdim=True)
    return (x - mean) / (std + 1e-6)


def cases(rng):
    for rows, columns in ((2, 3), (7, 5), (600, 500)):
        x = torch.tensor(rng.standard_normal((rows, columns)), dtype=torch.float32)
        for name in ("column_statistics", "standard_scores"):
            yield name, (x.clone().requires_grad_(),), {}
    large = torch.full((4, 2), 300.0, dtype=torch.float16) * torch.tensor([[1], [-1], [2], [-2]])
    yield "column_statistics", (large,), {}
    equal = torch.zeros((3, 2)).requires_grad_()
    yield "column_statistics", (equal,), {}
    images = torch.tensor(rng.standard_normal((2, 3, 4, 5)), dtype=torch.float32)
    yield "whiten_images", (images.clone().requires_grad_(),), {}
    yield "per_channel", (images.clone().requires_grad_(),), {}
