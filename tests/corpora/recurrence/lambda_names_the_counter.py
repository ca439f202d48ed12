# expect: ASC101 safe scope=gated
# The parameter of the lambda has the name of the loop's counter.
import torch


def gated(x, g, initial_state=None, output_final_state=False):
    dtype = x.dtype
    x, g = map(lambda i: i.float(), (x, g))
    batch, steps, width = x.shape
    h = torch.zeros(batch, width, dtype=torch.float)
    o = torch.zeros_like(x)
    final_state = None
    if initial_state is not None:
        h += initial_state
    for i in range(steps):
        h = g[:, i].exp() * h + x[:, i]
        o[:, i] = h
    if output_final_state:
        final_state = h
    return o.to(dtype), final_state


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "gated", (draw(2, 6, 3), -draw(2, 6, 3)), {}
    yield "gated", (draw(2, 1, 3), -draw(2, 1, 3), draw(2, 3), True), {}
