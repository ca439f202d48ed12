# expect: ASC107 safe scope=spatial
# expect: ASC107 safe scope=spatial_log
# expect: ASC107 safe scope=log_sum
# expect: ASC107 safe scope=planes
# expect: ASC107 safe scope=SpatialSoftArgmax.forward
# expect: ASC107 safe scope=everything
# expect: ASC107 safe scope=each_row
# expect: ASC107 safe scope=log_mean
# expect: ASC107 safe scope=laid_out_as_one
import numpy as np
import torch


def spatial(x: torch.Tensor):
    e = torch.exp(x - x.amax((-2, -1), keepdim=True))
    return e / e.sum((-2, -1), keepdim=True)


def spatial_log(x: torch.Tensor):
    shifted = x - x.amax(dim=-1, keepdim=True).amax(dim=-2, keepdim=True)
    return shifted - shifted.exp().sum(dim=[-2, -1], keepdim=True).log()


def log_sum(energies: torch.Tensor):
    top = energies.amax((0, 2), keepdim=True)
    return (energies - top).exp().sum((0, 2)).log() + top[0, :, 0]


def planes(x: np.ndarray):
    e = np.exp(x - np.max(x, axis=(1, 2), keepdims=True))
    return e / np.sum(e, axis=(1, 2), keepdims=True)


class SpatialSoftArgmax(torch.nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = torch.nn.Parameter(torch.tensor(temperature))

    def forward(self, heat):
        b, k, h, w = heat.shape
        scaled = heat / self.temperature
        e = (scaled - scaled.amax(dim=(2, 3), keepdim=True)).exp()
        weights = e / e.sum(dim=(2, 3), keepdim=True)
        rows = (weights.sum(3) * torch.arange(h, device=heat.device)).sum(-1)
        columns = (weights.sum(2) * torch.arange(w, device=heat.device)).sum(-1)
        return torch.stack((rows, columns), -1)


def everything(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def each_row(x: np.ndarray):
    out = np.empty_like(x)
    for i in range(len(x)):
        e = np.exp(x[i] - np.max(x[i]))
        out[i] = e / np.sum(e)
    return out


def log_mean(x: torch.Tensor):
    return torch.exp(x).mean((1, 2)).log()


def laid_out_as_one(x: torch.Tensor):
    b, c, h, w = x.shape
    top = x.flatten(2).max(-1).values.view(b, c, 1, 1)
    e = (x - top).exp()
    return e / e.reshape(b, c, h * w).sum(-1)[..., None, None]


def cases(rng):
    for shape in ((2, 3, 4, 5), (1, 2, 3, 1), (3, 1, 4, 4)):
        x = torch.tensor(9 * rng.standard_normal(shape), requires_grad=True)
        yield "laid_out_as_one", (x,), {}
        for name in ("spatial", "spatial_log"):
            yield name, (x,), {}
            yield name, (x[0, :, 1:].mT,), {}
        yield "log_sum", (x[:, :, 0],), {}
        yield "log_mean", (x,), {}
        yield "SpatialSoftArgmax(2.0)", (x.float().detach().requires_grad_(),), {}
        rows = 9 * rng.standard_normal(shape[1:])
        yield "planes", (rows,), {}
        yield "planes", (rows.astype(np.float32).T,), {}
        for some in (rows, rows[0, 0], rows[0], list(rows[0, 0]), rows.astype(np.float32)):
            yield "everything", (some,), {}
        yield "each_row", (rows,), {}
        yield "each_row", (rows[0],), {}
