# expect: LOC305 safe scope=energy
# expect: LOC305 safe scope=energy_of_tensors
import numpy as np
import torch


def energy(pos, cutoff, shift=0.0):
    n = len(pos)
    total, pairs = 0.0, 0
    e = 0.0
    met = 0
    for i in range(n):
        for j in range(i + 1, n):
            r2 = np.sum((pos[i] - pos[j]) ** 2)
            if r2 < cutoff * cutoff:
                s6 = 1.0 / r2**3
                e += 4.0 * (s6 * s6 - s6) - shift
                met += 1
    return total + e, pairs + met


def energy_of_tensors(pos: torch.Tensor, cutoff: float):
    """Particles at one place have no energy, and no gradient of it."""
    e = torch.zeros(())
    for i in range(len(pos)):
        for j in range(len(pos)):
            r = (pos[i] - pos[j]).norm()
            if i == j or not 0 < r or r > cutoff:
                continue
            e = e + torch.exp(-r) / r
    return e


def cases(rng):
    for n in (1, 2, 5, 13):
        pos = rng.standard_normal((n, 3))
        yield "energy", (pos, 1.7), {}
        yield "energy", (pos, 0.0, 0.5), {}
        met = torch.tensor(pos)
        met[n // 2] = met[0]
        yield "energy_of_tensors", (met.requires_grad_(), 1.7), {}
