# refuse: the list holds arrays of its own, and the stack of them is changed
import torch

torch.manual_seed(0)
x = torch.randn(6, 4)
a = torch.rand(6, 4)
h = x[0]
states = [h]
for t in range(6):
    h = a[t] * h + x[t]
    states.append(h)
out = torch.stack(states)
out *= 2


def cases(rng):
    yield "lambda: (out, states[1], x)", (), {}
