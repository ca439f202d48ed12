# refuse: the first item of the list is a part of what is changed
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
x[0] = 5.0


def cases(rng):
    yield "lambda: (out, states[1], x)", (), {}
