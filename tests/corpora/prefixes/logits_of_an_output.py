# expect: RED504 advice scope=decode

from types import SimpleNamespace

import torch


def decode(model, input_ids, max_length):
    while input_ids.shape[-1] < max_length:
        outputs = model(input_ids=input_ids, use_cache=False)
        next_logits = outputs.logits[:, -1]
        best = torch.argmax(next_logits, dim=-1)
        input_ids = torch.cat([input_ids, best.unsqueeze(-1)], dim=-1)
    return input_ids


def network(input_ids, use_cache):
    return SimpleNamespace(logits=torch.nn.functional.one_hot((input_ids + 2) % 6, 6).float())


def cases(rng):
    yield "lambda x, n: decode(network, x, n)", (torch.tensor([[1, 5]]), 6), {}
