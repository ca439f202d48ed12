# refuse: RED501 the optimizer changes what the term reads

import torch


def fit(x: torch.Tensor, y: torch.Tensor):
    logits = torch.zeros(x.shape[1], requires_grad=True)
    optimizer = torch.optim.SGD([logits], lr=0.1)
    for _ in range(5):
        weights = torch.softmax(logits, dim=0)
        loss = ((x @ weights - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return logits.detach()


def cases(rng):
    x = torch.from_numpy(rng.normal(size=(6, 3))).float()
    yield "fit", (x, torch.from_numpy(rng.normal(size=6)).float()), {}
