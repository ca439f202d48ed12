# refuse: the loop calls a function the reader knows nothing about
import torch


def filtered(frames, decay, transform):
    acc = torch.zeros_like(frames[0])
    out = []
    for frame in frames:
        acc = decay * acc + transform(frame)
        out.append(acc)
    return torch.stack(out)


class Counter:
    """A transform with a memory of its own."""

    def __init__(self):
        self.calls = 0

    def __call__(self, frame):
        self.calls += 1
        return frame / self.calls


def cases(rng):
    frames = torch.tensor(rng.standard_normal((11, 4)), dtype=torch.float32)
    yield "filtered", (frames, 0.9, Counter()), {}
