# expect: LOC302 safe scope=pool
import torch


def pool(img: torch.Tensor):
    h, w = img.shape
    out = torch.zeros(h // 2, w // 2)
    for i in range(h // 2):
        for j in range(w // 2):
            out[i, j] = max(
                img[2 * i, 2 * j],
                img[2 * i + 1, 2 * j],
                img[2 * i, 2 * j + 1],
                img[2 * i + 1, 2 * j + 1],
            )
    return out


def cases(rng):
    yield "pool", (torch.from_numpy(rng.standard_normal((6, 8))).float().requires_grad_(),), {}
