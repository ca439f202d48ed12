# expect: ASC106 safe scope=total_energy
import torch


def total_energy(charges, positions):
    """Sum of a per-particle energy; one particle at a time, as in the notes."""
    energy = torch.zeros((), dtype=positions.dtype)
    for i in range(positions.shape[0]):
        energy = energy + 0.5 * charges[i] * (positions[i] ** 2).sum()
    return energy


def cases(rng):
    for n in (1, 2, 50):
        charges = torch.tensor(rng.random(n), dtype=torch.float32, requires_grad=True)
        positions = torch.tensor(rng.standard_normal((n, 3)), dtype=torch.float32)
        yield "total_energy", (charges, positions.requires_grad_()), {}
