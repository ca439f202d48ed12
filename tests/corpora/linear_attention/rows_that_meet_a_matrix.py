# expect: ASC101 unsafe scope=smoothed
import torch


def smoothed(rows, gates, h):
    out = []
    for row, gate in zip(rows, gates):
        h = gate * h + torch.outer(gate, gate)
        out.append(h @ row)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "smoothed", (draw(5, 3), draw(5, 3), draw(3, 3)), {}
    yield "smoothed", (draw(5, 3, 2), draw(5, 3), draw(3, 3)), {}
