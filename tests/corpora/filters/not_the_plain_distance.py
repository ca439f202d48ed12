# refuse: SEP204 the distance itself is no sum over both places
import torch
import torch.nn.functional as F


def f(image: torch.Tensor, width: float):
    places = torch.arange(-7, 8, dtype=torch.float32)
    kernel = torch.exp(-torch.sqrt(places[:, None] ** 2 + places**2) / width)
    return F.conv2d(image, kernel[None, None], padding=7)


def cases(rng):
    for n, m in ((1, 1), (20, 17), (16, 31)):
        x = torch.tensor(rng.normal(size=(2, 1, n, m))).float().requires_grad_()
        yield "f", (x, 2.5), {}
    wide = torch.tensor(rng.normal(size=(1, 1, 25, 40))).float()[..., ::2].requires_grad_()
    yield "f", (wide, 0.7), {}
