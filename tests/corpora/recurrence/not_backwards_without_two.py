# refuse: two items are left out, of which one is the loop's
import torch


def returns(rewards: torch.Tensor, last: torch.Tensor, gamma: float):
    """rewards (T, B), last (B,)."""
    out = [last]
    for r in reversed(rewards):
        out.append(r + gamma * out[-1])
    return torch.stack(out[:1:-1])


def cases(rng):
    for steps in (2, 33):
        rewards = torch.tensor(rng.standard_normal((steps, 3)), requires_grad=True)
        yield (
            "returns",
            (rewards, torch.tensor(rng.standard_normal(3), requires_grad=True), 0.9),
            {},
        )
