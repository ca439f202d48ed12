# expect: RED502 safe scope=contrast

import torch


def contrast(images: torch.Tensor, texts: torch.Tensor):
    n, width = images.shape
    n, width = texts.shape
    forward = torch.matmul(images, texts.transpose(0, 1))
    best = forward.amax(dim=-1)
    again = images @ texts.T
    return best + again.logsumexp(dim=-1)


def cases(rng):
    for n in (4, 1):
        x, y = (torch.from_numpy(rng.normal(size=(n, 3))).float().requires_grad_() for _ in "ab")
        yield "contrast", (x, y), {}
