# expect: LOC305 safe scope=accelerations
# expect: LOC305 safe scope=stacked
# expect: LOC305 safe scope=in_the_plane
# expect: LOC305 safe scope=powers_put_in
# expect: LOC305 safe scope=infinitely_far_from_itself
# expect: LOC305 safe scope=ones_on_the_diagonal
# may: LOC305 advice scope=of_no_charge_itself
# may: LOC305 advice scope=itself_is_pulled
# may: LOC305 advice scope=other_way_round
# may: LOC305 advice scope=one_is_missing
# may: LOC305 advice scope=of_two_masses
# may: LOC305 advice scope=not_all_places
import numpy as np
import torch


def accelerations(pos, mass, G, softening):
    """
    pos   is an N x 3 matrix of positions
    mass  is an N x 1 vector of masses
    """
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv = dx**2 + dy**2 + dz**2 + softening**2
    inv[inv > 0] = inv[inv > 0] ** (-1.5)
    ax = G * (dx * inv) @ mass
    ay = G * (dy * inv) @ mass
    az = G * (dz * inv) @ mass
    return np.hstack((ax, ay, az))


def stacked(p: torch.Tensor, m: torch.Tensor, eps: float):
    """p (N, 2), m (N,)"""
    x, y = p[:, 0], p[:, 1]
    dx = x[None, :] - x[:, None]
    dy = y[None, :] - y[:, None]
    w = (dx**2 + dy**2 + eps**2).pow(-1.5)
    return torch.stack(((w * dx) @ m, (w * dy) @ m), dim=-1)


def in_the_plane(p: np.ndarray, m: np.ndarray, eps: float):
    """m (N,)"""
    n, d = p.shape
    x, y = p[:, 0], p[:, 1]
    dx = x[np.newaxis, :] - x[:, np.newaxis]
    dy = y[np.newaxis, :] - y[:, np.newaxis]
    w = m / np.sqrt(dx**2 + dy**2 + eps**2) ** 3
    return np.column_stack([np.sum(dx * w, axis=1), np.sum(dy * w, axis=1)])


def powers_put_in(pos: np.ndarray, mass: np.ndarray, G: float, eps: float):
    """pos (N, 3), mass (N,)"""
    r = pos[None] - pos[:, None]
    d2 = (r**2).sum(-1) + eps**2
    inv = np.zeros_like(d2)
    near = d2 > 0
    inv[near] = d2[near] ** -1.5
    return G * (r * inv[..., None] * mass[None, :, None]).sum(1)


def infinitely_far_from_itself(p: np.ndarray, m: np.ndarray):
    """p (N, 3), m (N,)"""
    d = p[None] - p[:, None]
    r = np.sqrt((d**2).sum(-1))
    r[r == 0] = np.inf
    return (m[None, :, None] * d / r[..., None] ** 3).sum(1)


def ones_on_the_diagonal(p: torch.Tensor, m: torch.Tensor):
    """p (N, 2), m (N,)"""
    d = p[None] - p[:, None]
    r2 = (d**2).sum(-1) + torch.eye(len(p), dtype=p.dtype)
    return (m[None, :, None] * d * (r2**-1.5)[..., None]).sum(1)


def of_no_charge_itself(p: torch.Tensor, m: torch.Tensor):
    """p (N, 2), m (N,)"""
    n = len(p)
    d = p[None] - p[:, None]
    charges = torch.where(torch.eye(n, dtype=torch.bool), 0.0, m[None])
    return (charges[..., None] * d / ((d**2).sum(-1) ** 1.5)[..., None]).sum(1)


def itself_is_pulled(p: torch.Tensor, m: torch.Tensor):
    """p (N, 2), m (N,)"""
    n = len(p)
    d = p[None] - p[:, None]
    r2 = (d**2).sum(-1) + torch.eye(n, dtype=p.dtype)
    pull = d * (r2**-1.5)[..., None]
    return (m[None, :, None] * torch.where(torch.eye(n).bool()[..., None], 1.0, pull)).sum(1)


def other_way_round(p: np.ndarray, m: np.ndarray, eps: float):
    """p (N, 2), m (N,)"""
    x, y = p[:, 0], p[:, 1]
    dx = x[np.newaxis, :] - x[:, np.newaxis]
    dy = y[np.newaxis, :] - y[:, np.newaxis]
    w = m / np.sqrt(dx**2 + dy**2 + eps**2) ** 3
    return np.stack([np.sum(dy * w, axis=1), np.sum(dx * w, axis=1)], 1)


def one_is_missing(p: np.ndarray, m: np.ndarray, eps: float):
    """p (N, 3), m (N,)"""
    x, y, z = p[:, 0], p[:, 1], p[:, 2]
    dx = x[np.newaxis, :] - x[:, np.newaxis]
    dy = y[np.newaxis, :] - y[:, np.newaxis]
    dz = z[np.newaxis, :] - z[:, np.newaxis]
    w = m / np.sqrt(dx**2 + dy**2 + dz**2 + eps**2) ** 3
    return np.stack([np.sum(dx * w, axis=1), np.sum(dy * w, axis=1)], 1)


def of_two_masses(p: np.ndarray, m: np.ndarray, q: np.ndarray, eps: float):
    """p (N, 2), m (N,), q (N,)"""
    x, y = p[:, 0], p[:, 1]
    dx = x[np.newaxis, :] - x[:, np.newaxis]
    dy = y[np.newaxis, :] - y[:, np.newaxis]
    w = 1 / np.sqrt(dx**2 + dy**2 + eps**2) ** 3
    return np.stack([(dx * w) @ m, (dy * w) @ q], 1)


def not_all_places(pos: np.ndarray, mass: np.ndarray):
    """pos (N, 3), mass (N,)"""
    r = pos[None] - pos[:, None]
    d2 = (r**2).sum(-1)
    inv = np.zeros_like(d2)
    far = d2 > 0.5
    inv[far] = d2[far] ** -1.5
    return (r * inv[..., None] * mass[None, :, None]).sum(1)


def main():
    N, G, softening = 6, 1.0, 0.1
    mass = 20.0 * np.ones((N, 1)) / N
    pos = np.random.randn(N, 3)
    return accelerations(pos, mass, G, softening)


def cases(rng):
    for n in (7, 1, 2):
        pos, mass = rng.standard_normal((n, 3)), rng.random(n)
        plane = np.ascontiguousarray(pos[:, :2])
        for softening in (0.1, 0.0):
            yield "accelerations", (pos, mass[:, None], 1.5, softening), {}
            yield "powers_put_in", (pos, mass, 1.5, softening), {}
        tensors = (torch.tensor(plane).requires_grad_(), torch.tensor(mass).requires_grad_())
        yield "stacked", (*tensors, 0.3), {}
        yield "infinitely_far_from_itself", (pos, mass), {}
        for name in ("ones_on_the_diagonal", "itself_is_pulled"):
            yield name, tensors, {}
        for name in ("in_the_plane", "other_way_round"):
            yield name, (plane, mass, 0.3), {}
        yield "in_the_plane", (np.hstack((plane, pos)), mass, 0.3), {}
        yield "one_is_missing", (pos, mass, 0.3), {}
        yield "of_two_masses", (plane, mass, mass[::-1], 0.3), {}
        yield "not_all_places", (pos, mass), {}
