# expect: SEP204 safe scope=f
import torch
import torch.nn.functional as F


def f(image: torch.Tensor, width: float):
    x = torch.linspace(-1, 1, 13)
    y = torch.linspace(-1.5, 1.5, 15)
    distance = torch.sqrt(x[None, :] ** 2 + y[:, None] ** 2)
    kernel = torch.exp(-0.5 * (distance / width) ** 2) / (6.28 * width * width)
    return F.conv2d(image, kernel.view(1, 1, 15, 13), padding="same")


def cases(rng):
    for n, m in ((1, 1), (20, 17), (16, 31)):
        x = torch.tensor(rng.normal(size=(2, 1, n, m))).float().requires_grad_()
        yield "f", (x, 2.5), {}
    wide = torch.tensor(rng.normal(size=(1, 1, 25, 40))).float()[..., ::2].requires_grad_()
    yield "f", (wide, 0.7), {}
