# may: ASC101 safe|advice scope=td_lambda_update
# may: ASC106 any scope=td_lambda_update
import torch


def td_lambda_update(phi, rewards, weights, gamma=0.95, lam=0.8, lr=0.01):
    """One offline TD(lambda) pass: phi is (T + 1, d). Only the summed update is wanted."""
    trace = torch.zeros_like(weights)
    update = torch.zeros_like(weights)
    values = phi @ weights
    deltas = rewards + gamma * values[1:] - values[:-1]
    for t in range(rewards.shape[0]):
        trace = gamma * lam * trace + phi[t]
        update = update + deltas[t] * trace
    return weights + lr * update


def cases(rng):
    for T in (1, 2, 44):
        draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
        yield "td_lambda_update", (draw(T + 1, 6), draw(T), draw(6).requires_grad_()), {}
