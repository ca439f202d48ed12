# expect: ASC106 safe scope=accuracy
# expect: ASC106 safe scope=hits
# expect: ASC106 safe scope=errors
import numpy as np
import torch


def accuracy(logits: torch.Tensor, labels: torch.Tensor) -> float:
    correct = 0
    for i in range(len(labels)):
        if logits[i].argmax() == labels[i]:
            correct += 1
    return correct / len(labels)


def hits(probabilities: np.ndarray, labels: np.ndarray) -> int:
    count = 0
    for row, label in zip(probabilities, labels):
        if np.argmax(row) == label:
            count += 1
    return count


def errors(x: np.ndarray, y: np.ndarray, w: np.ndarray, bias: float) -> float:
    n, d = x.shape
    (d,) = w.shape
    total = 0.0
    for i in range(n):
        total += (np.dot(x[i], w) + bias - y[i]) ** 2
    return total


def cases(rng):
    for n in (1, 2, 9):
        x, labels = rng.random((n, 4)), rng.integers(0, 4, n)
        yield "accuracy", (torch.tensor(x), torch.tensor(labels)), {}
        yield "hits", (x, labels), {}
        yield "errors", (x, rng.random(n), rng.random(4), 0.5), {}
    yield "hits", (rng.random((3, 4)), rng.integers(0, 4, 0)), {}
    yield "errors", (rng.random((0, 4)), rng.random(0), rng.random(4), 0.5), {}
