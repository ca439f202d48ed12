# refuse: ASC101 the state is clipped at each step
import torch


def saturating_integrator(u, leak, limit=1.0):
    v = torch.zeros_like(u[:, 0])
    trace = []
    for t in range(u.shape[1]):
        v = leak * v + u[:, t]
        v = v.clamp(-limit, limit)
        trace.append(v)
    return torch.stack(trace, dim=1)


def cases(rng):
    yield "saturating_integrator", (torch.tensor(rng.standard_normal((3, 20))), 0.9), {}
