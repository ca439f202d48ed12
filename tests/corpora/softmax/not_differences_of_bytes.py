# refuse: ASC107 a byte less a larger one is not below zero
import torch


def weights(levels: torch.Tensor):
    z = levels.to(torch.uint8)
    e = torch.exp((z - z.max(-1, keepdim=True).values) * 0.01)
    return e / e.sum(-1, keepdim=True)


def of_bytes(levels: torch.Tensor, temperature: float):
    z = levels.byte()
    e = torch.exp((z - z.max(-1, keepdim=True).values).float() / temperature)
    return e / e.sum(-1, keepdim=True)


def of_eight_bits(levels: torch.Tensor):
    z = levels.char()
    e = ((z - z.amax(-1, keepdim=True)) / 64).exp()
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    for shape in ((1, 2), (3, 5), (2, 3, 4)):
        levels = rng.integers(-120, 120, size=shape)
        numbers = torch.from_numpy(levels)
        yield "weights", (numbers,), {}
        yield "of_bytes", (numbers, 50.0), {}
        yield "of_eight_bits", (numbers,), {}
