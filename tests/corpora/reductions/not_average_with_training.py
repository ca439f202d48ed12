# refuse: the loop trains a model between the terms of its sum
import torch
from torch import nn


def train_epoch(model, optimizer, batches):
    total = 0.0
    for x, y in batches:
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(batches)


def run(batches):
    model = nn.Linear(3, 1)
    return train_epoch(model, torch.optim.SGD(model.parameters(), lr=0.1), batches)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "run", ([(draw(4, 3), draw(4, 1)) for _ in range(3)],), {}
