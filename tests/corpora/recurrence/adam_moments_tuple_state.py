# may: ASC101 safe scope=simulate_moments
import torch


def simulate_moments(grads, beta1=0.9, beta2=0.999, eps=1e-8):
    """The update directions Adam would take on a recorded sequence of gradients (T, P)."""
    state = (torch.zeros_like(grads[0]), torch.zeros_like(grads[0]))
    updates = []
    for step, g in enumerate(grads, start=1):
        m, v = state
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        state = (m, v)
        m_hat = m / (1 - beta1**step)
        v_hat = v / (1 - beta2**step)
        updates.append(m_hat / (v_hat.sqrt() + eps))
    return torch.stack(updates)


def cases(rng):
    for T in (1, 2, 40):
        yield "simulate_moments", (torch.tensor(rng.standard_normal((T, 3))),), {}
