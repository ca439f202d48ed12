# expect: SEP204 safe scope=blurred
import torch
import torch.nn.functional as F


def blurred(image: torch.Tensor, line: torch.Tensor):
    batch, channels, height, width = image.shape
    (size,) = line.shape
    kernel = torch.kron(line.unsqueeze(1), line.unsqueeze(0))
    return F.conv2d(image, kernel[None, None])


def cases(rng):
    image = torch.tensor(rng.standard_normal((2, 1, 9, 8)), requires_grad=True)
    for size in (1, 3):
        yield "blurred", (image, torch.tensor(rng.standard_normal(size), requires_grad=True)), {}
