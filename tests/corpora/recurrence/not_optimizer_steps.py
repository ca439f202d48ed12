# refuse: the gradient of each step is taken at the current weights
import torch


def descend(w, X, y, lr=0.1, weight_decay=0.01):
    for _ in range(10):
        residual = X @ w - y
        grad = X.T @ residual.sign() / len(y)
        w = (1 - lr * weight_decay) * w - lr * grad
    return w


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "descend", (draw(4), draw(9, 4), draw(9)), {}
