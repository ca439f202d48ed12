# refuse: what is put around changes a product
import torch


def products(x: torch.Tensor, r: int):
    out = torch.zeros(x.shape[0])
    for t in range(x.shape[0]):
        out[t] = x[max(0, t - r) : t + 1].prod()
    return out


def cases(rng):
    yield "products", (torch.from_numpy(rng.standard_normal(7).astype("float32")), 2), {}
