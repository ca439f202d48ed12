# refuse: RED507 solve reads the one matrix as a batch of vectors
import torch


def apply_all(maps: torch.Tensor, points: torch.Tensor):
    """maps: (n, n, n); points: (n, n)."""
    maps_in, n, _ = maps.shape
    rows, columns = points.shape
    return torch.linalg.inv(maps) @ points


def cases(rng):
    yield "apply_all", (torch.randn(3, 3, 3), torch.randn(3, 3)), {}
