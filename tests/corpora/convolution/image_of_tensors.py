# expect: LOC303 safe scope=conv2d_t
import torch


def conv2d_t(img, ker):
    H, W = img.shape
    kh, kw = ker.shape
    out = torch.zeros(max(H - kh + 1, 0), max(W - kw + 1, 0))
    for i in range(H - kh + 1):
        for j in range(W - kw + 1):
            out[i, j] = (img[i : i + kh, j : j + kw] * ker).sum()
    return out


def cases(rng):
    yield (
        "conv2d_t",
        (
            torch.from_numpy(rng.random((5, 7))).float().requires_grad_(),
            torch.from_numpy(rng.random((3, 2))).float().requires_grad_(),
        ),
        {},
    )
