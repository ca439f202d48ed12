# expect: ASC101 safe scope=mean_trace
# expect: ASC101 safe scope=traces
import numpy as np
import torch


def mean_trace(x, decay):
    trace = torch.zeros(x.shape[1])
    seen = 0
    for row in x:
        trace = decay * trace + row
        seen += 1
    return trace / max(seen, 1)


def traces(x, decay):
    trace, seen = torch.zeros(x.shape[1]), 1
    kept = []
    for row in x:
        trace = decay * trace + row
        kept.append(trace)
        seen = seen + 1
    return torch.stack(kept), seen


def cases(rng: np.random.Generator):
    for length in (1, 6):
        x = torch.from_numpy(rng.standard_normal((length, 3)).astype(np.float32))
        yield "mean_trace", (x.requires_grad_(), 0.5), {}
        yield "traces", (x, 0.5), {}
