# expect: LOC302 safe scope=total_variation
import torch


def total_variation(img):
    h, w = img.shape
    tv = torch.zeros(h, w)
    for i in range(h - 1):
        for j in range(w - 1):
            tv[i, j] = torch.sqrt(
                (img[i + 1, j] - img[i, j]) ** 2 + (img[i, j + 1] - img[i, j]) ** 2 + 1e-3
            )
    return tv


def cases(rng):
    yield "total_variation", (torch.from_numpy(rng.random((5, 7))).float().requires_grad_(),), {}
