# expect: ASC101 safe scope=last_of_a_part
# expect: ASC101 safe scope=every_row
# expect: ASC101 safe scope=rows_of_unpacked_sizes
# expect: ASC101 safe scope=planes_from_the_end
import torch


def last_of_a_part(x: torch.Tensor, a: torch.Tensor, start: int):
    g = torch.zeros_like(x[..., 0, :])
    for i in reversed(range(start, x.shape[-2])):
        g = x[..., i, :] + a[..., i, :] * g
    return g


def every_row(x: torch.Tensor, a: torch.Tensor):
    out = torch.empty_like(x)
    g = 0
    for i in reversed(range(x.shape[-2])):
        g = out[..., i, :] = x[..., i, :] + a[..., i, :] * g
    return out


def rows_of_unpacked_sizes(x, a):
    *batch, steps, width = x.shape
    out = torch.empty(*batch, steps, width, dtype=x.dtype)
    g = 0
    for i in reversed(range(steps)):
        g = out[..., i, :] = x[..., i, :] + a[..., i, :] * g
    return out


def planes_from_the_end(x: torch.Tensor, a: torch.Tensor, start: int):
    h = torch.zeros_like(x[..., 0, :, :])
    kept = []
    for i in range(start, x.shape[-3]):
        h = a[..., i, :, :] * h + x[..., i, :, :]
        kept.append(h)
    return torch.stack(kept)


def cases(rng):
    for shape in ((2, 7, 3), (2, 3, 7, 4), (3, 2, 2, 7, 6)):
        x, a = (torch.tensor(rng.normal(size=shape)) for _ in range(2))
        for start in (0, 2):
            yield "last_of_a_part", (x, a, start), {}
        yield "every_row", (x, a), {}
        yield "rows_of_unpacked_sizes", (x, a), {}
        yield "planes_from_the_end", (x, a, 1), {}
