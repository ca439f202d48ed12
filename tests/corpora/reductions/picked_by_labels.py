# expect: ASC106 safe scope=inertia
# expect: ASC106 safe scope=likelihood
# expect: ASC106 safe scope=cross_entropy
# expect: ASC106 safe scope=bag
import numpy as np
import torch


def inertia(points: np.ndarray, centres: np.ndarray, labels: np.ndarray) -> float:
    total = 0.0
    for i in range(len(points)):
        total += np.sum((points[i] - centres[labels[i]]) ** 2)
    return total


def likelihood(logits: torch.Tensor, target: torch.Tensor):
    n, classes = logits.shape
    loss = 0.0
    for i in range(n):
        loss -= logits[i, target[i]]
    return loss / max(n, 1)


def cross_entropy(probabilities: np.ndarray, labels: np.ndarray):
    loss = 0.0
    for row, label in zip(probabilities, labels):
        loss -= np.log(row[label])
    return loss


def bag(table: torch.Tensor, words: torch.Tensor):
    size, width = table.shape
    total = torch.zeros(width, dtype=torch.float64)
    for word in words:
        total = total + table[word]
    return total


def cases(rng):
    for n in (1, 2, 7):
        points, labels = rng.random((n, 5)) + 0.1, rng.integers(0, 5, n)
        yield "inertia", (points, rng.random((5, 5)), labels), {}
        yield "cross_entropy", (points, labels), {}
        logits = torch.tensor(points, requires_grad=True)
        yield "likelihood", (logits, torch.tensor(labels)), {}
        table = torch.tensor(rng.random((5, 3)), requires_grad=True)
        yield "bag", (table, torch.tensor(labels)), {}
    yield "inertia", (rng.random((0, 5)), rng.random((5, 5)), rng.integers(0, 5, 0)), {}
    yield "cross_entropy", (rng.random((3, 5)) + 0.1, rng.integers(0, 5, 2)), {}
