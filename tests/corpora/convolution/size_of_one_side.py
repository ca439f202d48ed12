# expect: LOC303 unsafe scope=filtered
import torch


def filtered(a: torch.Tensor, w: torch.Tensor):
    """Only one size of the filter is read: a row would meet the window as well."""
    height, width = a.shape
    k = w.size(0)
    out = torch.zeros(height - k + 1, width - k + 1, dtype=a.dtype)
    for i in range(height - k + 1):
        for j in range(width - k + 1):
            out[i, j] = torch.sum(w * a[i : i + k, j : j + k])
    return out


def cases(rng):
    for k in (1, 2, 3):
        yield "filtered", (torch.randn(5, 6), torch.randn(k, k)), {}
    yield "filtered", (torch.randn(5, 6, requires_grad=True), torch.randn(2, 2)), {}
    yield "filtered", (torch.randn(5, 6), torch.randn(2)), {}
