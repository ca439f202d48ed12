# may: ASC101 safe scope=mix_streams
import torch


def mix_streams(gains, samples):
    level = torch.zeros_like(samples[0])
    levels = []
    for g, s in zip(gains, samples):
        level = g * level + s
        levels.append(level)
    return torch.stack(levels)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "mix_streams", (draw(5, 3), draw(9, 3)), {}
    yield "mix_streams", (draw(1, 3), draw(9, 3)), {}
