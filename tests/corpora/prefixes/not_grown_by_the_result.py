# refuse: RED504 what the sequence grows by comes from elsewhere

import torch


def follow(model, seen, stream):
    losses = []
    for item in stream:
        guess = model(seen)[:, -1]
        losses.append(((guess - item) ** 2).mean())
        seen = torch.cat([seen, item.reshape(1, 1)], dim=1)
    return torch.stack(losses)


def cases(rng):
    yield (
        "lambda x, s: follow(torch.tanh, x, s)",
        (torch.ones(1, 2), [torch.tensor(0.5), torch.tensor(0.1)]),
        {},
    )
