# refuse: RED504 the last item alone is passed on

import torch


def decode(model, tokens, steps):
    past, last = None, tokens
    for _ in range(steps):
        logits, past = model(last, past_key_values=past)
        last = logits[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, last], dim=1)
    return tokens


def network(x, past_key_values):
    total = x.cumsum(dim=1) + (0 if past_key_values is None else past_key_values)
    return torch.nn.functional.one_hot(total % 5, 5).float(), total[:, -1:]


def cases(rng):
    yield "lambda x, n: decode(network, x, n)", (torch.tensor([[1, 2]]), 3), {}
