# may: ASC101 safe scope=propagate
import torch


def propagate(gain, push, start):
    """gain and push are (steps, nodes), made together; start is (nodes,)."""
    assert gain.shape == push.shape
    h = start
    path = torch.stack([h := gain[t] * h + push[t] for t in range(gain.shape[0])])
    return path


def cases(rng):
    for steps in (1, 2, 27):
        gain = torch.tensor(rng.uniform(-1, 1, (steps, 5)), dtype=torch.float32)
        push = torch.tensor(rng.standard_normal((steps, 5)), dtype=torch.float32)
        start = torch.tensor(rng.standard_normal(5), dtype=torch.float32)
        args = (gain.requires_grad_(), push.requires_grad_(), start.requires_grad_())
        yield "propagate", args, {}
