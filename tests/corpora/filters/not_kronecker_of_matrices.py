# refuse: SEP204 the blocks are matrices
import torch
import torch.nn.functional as F


def blurred(image: torch.Tensor, block: torch.Tensor):
    batch, channels, height, width = image.shape
    rows, columns = block.shape
    kernel = torch.kron(block, block)
    return F.conv2d(image, kernel[None, None])


def cases(rng):
    image = torch.tensor(rng.standard_normal((2, 1, 9, 8)))
    yield "blurred", (image, torch.tensor(rng.standard_normal((2, 2)))), {}
