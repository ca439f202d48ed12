# expect: RED504 advice scope=forward
import torch


def forward(query, key, value, layer_past=None, use_cache=False):
    if layer_past is not None:
        key = torch.cat((layer_past[0], key), dim=-2)
        value = torch.cat((layer_past[1], value), dim=-2)
    present = (key, value) if use_cache else None
    scores = query @ key.transpose(-1, -2)
    return torch.relu(scores) @ value, present


def cases(rng):
    draw = lambda n: torch.tensor(rng.standard_normal((2, n, 4)))
    yield "forward", (draw(1), draw(1), draw(1), (draw(3), draw(3)), True), {}
    yield "forward", (draw(1), draw(1), draw(1)), {}
