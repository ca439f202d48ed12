# expect: ASC101 safe scope=recurrent
# The gates of unknown rank count the steps first, the inputs along their second axis.
import torch


def recurrent(x: torch.Tensor, gate: torch.Tensor, weight: torch.Tensor):
    batch, steps, width = x.shape
    state = x.new_zeros(batch, width)
    outputs = []
    for t in range(steps):
        state = gate[t] * state + x[:, t]
        outputs.append(state)
    return torch.stack(outputs, dim=1)


def cases(rng):
    def make(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for rest in ((), (1,), (3,), (2, 3), (2, 1)):
        yield "recurrent", (make(2, 3, 3), make(3, *rest), make(3)), {}
    yield "recurrent", (make(2, 1, 4), make(1), make(1)), {}
