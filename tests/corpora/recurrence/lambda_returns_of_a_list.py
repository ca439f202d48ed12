# expect: ASC101 safe scope=lambda_returns
import torch


def lambda_returns(
    rewards: torch.Tensor, values: torch.Tensor, discount: torch.Tensor, lam: float = 0.95
):
    """rewards (T, B), values (T + 1, B), discount (T, B)."""
    vals = [values[-1]]
    interm = rewards + discount * values[1:] * (1 - lam)
    for t in reversed(range(len(interm))):
        vals.append(interm[t] + discount[t] * lam * vals[-1])
    return torch.stack(list(reversed(vals))[:-1])


def cases(rng):
    for steps in (1, 2, 33):
        rewards, discount = (torch.tensor(rng.random((steps, 4))) for _ in range(2))
        values = torch.tensor(rng.standard_normal((steps + 1, 4)), requires_grad=True)
        yield "lambda_returns", (rewards, values, discount), {}
