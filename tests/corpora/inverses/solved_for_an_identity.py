# expect: RED507 safe scope=matrices
# expect: RED507 safe scope=named
# expect: RED507 safe scope=arrays
# expect: RED507 safe scope=whitened
# expect: RED507 safe scope=dotted
# expect: RED507 safe scope=of_their_own_type
# expect: RED507 unsafe scope=from_the_left
import numpy as np
import torch


def matrices(A: torch.Tensor, b: torch.Tensor):
    return torch.matmul(torch.linalg.solve(A, torch.eye(A.size(0))), b)


def named(A: torch.Tensor, b: torch.Tensor):
    identity = torch.eye(A.shape[0], dtype=A.dtype, device=A.device)
    inverse = torch.linalg.solve(A, identity)
    return inverse @ b


def arrays(A: np.ndarray, b: np.ndarray):
    n = A.shape[0]
    return np.linalg.solve(A, np.eye(n)) @ b


def whitened(x: np.ndarray, b: np.ndarray):
    n, d = x.shape
    gram = x.T @ x + np.eye(d)
    return np.linalg.solve(gram, np.eye(d)) @ b


def dotted(A: np.ndarray, b: np.ndarray):
    inverse = np.linalg.solve(A, np.identity(len(A)))
    return inverse.dot(b)


def of_their_own_type(A: np.ndarray, b: np.ndarray):
    n, _ = A.shape
    return np.linalg.solve(A, np.eye(n, dtype=A.dtype)) @ b


def from_the_left(A: torch.Tensor, b: torch.Tensor):
    """Nothing says that ``b`` is no vector."""
    return b @ torch.linalg.solve(A, torch.eye(A.size(0)))


def cases(rng):
    for n in (4, 1):
        a = rng.normal(size=(n, n)) + 3 * np.eye(n)
        for b in (rng.normal(size=(n, 2)), rng.normal(size=n)):
            for name in ("arrays", "dotted", "of_their_own_type", "whitened"):
                yield name, (a.copy(), b.copy()), {}
            for name in ("matrices", "named"):
                given = (torch.tensor(one, dtype=torch.float32) for one in (a, b))
                yield name, tuple(one.requires_grad_() for one in given), {}
        one, other = (torch.tensor(one, dtype=torch.float32) for one in (a, a.T @ a))
        yield "from_the_left", (one, other), {}
