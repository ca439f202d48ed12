"""Gravity between all pairs of particles.

The pull on particle i from particle j points along r = x[j] - x[i] and falls with the square of
the distance: m[j] r / (d^3 + eps). The small eps keeps close pairs finite.
"""

import numpy as np


def forces(position: np.ndarray, mass: np.ndarray, eps: float = 1e-3) -> np.ndarray:
    """position: (n, 3); mass: (n,)."""
    n = position.shape[0]
    force = np.zeros_like(position)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = position[j] - position[i]
            d = np.sqrt((r * r).sum())
            force[i] += mass[j] * r / (d**3 + eps)
    return force


def forces_inputs(n=300):
    draw = np.random.default_rng(0)
    return draw.standard_normal((n, 3)), draw.uniform(0.5, 1.5, size=n)


if __name__ == "__main__":
    force = forces(*forces_inputs())
    print(force.shape, f"{np.abs(force).mean():.3f}")
