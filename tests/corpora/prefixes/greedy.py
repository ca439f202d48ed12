# expect: RED504 advice scope=greedy

import torch


def greedy(model, tokens: torch.Tensor, steps: int):
    for _ in range(steps):
        logits = model(tokens)[:, -1, :]
        tokens = torch.cat((tokens, logits.argmax(-1, keepdim=True)), dim=1)
    return tokens


def language(tokens):
    return torch.nn.functional.one_hot((tokens * 3 + 1) % 7, 7).float().cumsum(dim=1)


def run(start, steps):
    return greedy(language, start, steps)


def cases(rng):
    yield "run", (torch.tensor([[1, 2]]), 4), {}
    yield "run", (torch.tensor([[1]]), 0), {}
