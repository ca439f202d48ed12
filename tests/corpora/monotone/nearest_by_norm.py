# expect: RED506 unsafe scope=nearest
# expect: RED506 unsafe scope=few
import numpy as np
import torch


def nearest(points: np.ndarray, place: np.ndarray) -> int:
    return np.argmin(np.linalg.norm(points - place, axis=1))


def few(points: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
    gaps = torch.linalg.norm(points - place, dim=-1)
    return gaps.topk(2, largest=False).indices


def cases(rng):
    for n in (2, 7):
        yield "nearest", (rng.normal(size=(n, 3)), rng.normal(size=3)), {}
        yield "few", tuple(torch.from_numpy(rng.normal(size=s)) for s in ((n, 3), (3,))), {}
