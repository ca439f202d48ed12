# expect: ASC105 safe scope=largest
import torch


# fmt: off
def largest(x: torch.Tensor):
    h = torch.zeros(3); out = []  # noqa: E702
    for t in range(x.shape[0]):
        h = torch.maximum(h, x[t] * x[t])
        out.append(h)
    return torch.stack(out)
# fmt: on


def cases(rng):
    yield "largest", (torch.tensor(rng.standard_normal((6, 3))).float(),), {}
