# refuse: SEP207 the product is measured and not kept
import torch


def compress(weight, rank):
    u, s, vh = torch.linalg.svd(weight, full_matrices=False)
    error = weight - (u[:, :rank] * s[:rank]) @ vh[:rank]
    return error


def cases(rng):
    yield "compress", (torch.tensor(rng.standard_normal((6, 5))), 2), {}
