# expect: LOC303 safe scope=means
# expect: LOC303 safe scope=local
# expect: LOC303 safe scope=trailing
# expect: LOC303 safe scope=sums
import torch


def means(x: torch.Tensor, r: int):
    n = x.shape[0]
    out = torch.zeros(n)
    for i in range(n):
        lo = max(0, i - r)
        hi = min(n, i + r + 1)
        out[i] = x[lo:hi].mean()
    return out


def local(image: torch.Tensor, r: int):
    height, width = image.shape
    out = torch.zeros(height, width)
    for i in range(height):
        for j in range(width):
            part = image[max(i - r, 0) : min(i + r + 1, height), max(j - r, 0) : j + r + 1]
            out[i, j] = part.mean()
    return out


def trailing(x: torch.Tensor, w: int):
    return torch.stack([x[max(0, i - w + 1) : i + 1].max() for i in range(len(x))])


def sums(x: torch.Tensor, r: int):
    rows, n = x.shape
    out = torch.empty(rows, n)
    for i in range(n):
        out[:, i] = x[:, max(0, i - r) : i + r + 1].sum(dim=1)
    return out


def cases(rng):
    def numbers(*shape):
        return torch.from_numpy(rng.standard_normal(shape).astype("float32"))

    yield "means", (numbers(9), 2), {}
    yield "means", (numbers(2), 3), {}
    yield "means", (numbers(5).requires_grad_(), 1), {}
    yield "local", (numbers(5, 6), 1), {}
    yield "local", (numbers(1, 3), 2), {}
    yield "trailing", (numbers(9), 3), {}
    yield "sums", (numbers(3, 9), 2), {}
    yield "sums", (numbers(3, 4).requires_grad_(), 9), {}
