# refuse: RED507 the system is of another right-hand side, or of as many as there are
import numpy as np
import torch


def beside(A: np.ndarray, b: np.ndarray):
    n, _ = A.shape
    return np.linalg.solve(A, np.eye(n, k=1)) @ b


def narrow(A: np.ndarray, b: np.ndarray):
    n, _ = A.shape
    single = A.astype(np.float32)
    return np.linalg.solve(single, np.eye(n)) @ b


def batches(A: torch.Tensor, b: torch.Tensor):
    return torch.linalg.solve(A, torch.eye(A.shape[-1])) @ b


def kept(A: torch.Tensor, b: torch.Tensor):
    n, _ = A.shape
    inverse = torch.linalg.solve(A, torch.eye(n))
    return inverse @ b, inverse


def of_a_few(A: np.ndarray, b: np.ndarray):
    n, _ = A.shape
    return np.linalg.solve(A, np.eye(n)[:, :2]) @ b


def cases(rng):
    a = rng.normal(size=(4, 4)) + 3 * np.eye(4)
    b = rng.normal(size=(4, 2))
    yield "beside", (a.copy(), b.copy()), {}
    yield "narrow", (a.copy(), b.copy().astype(np.float32)), {}
    yield "of_a_few", (a.copy(), b[:2].copy()), {}
    one, other = (torch.tensor(x, dtype=torch.float32) for x in (a, b))
    yield "kept", (one, other), {}
    yield "batches", (one.expand(3, 4, 4).contiguous(), other), {}
