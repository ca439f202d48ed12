# expect: ASC101 safe scope=dema
import torch


def dema(price: torch.Tensor, span: int) -> torch.Tensor:
    """Double exponential moving average of (time, symbols): the second filter eats the first."""
    k = 2.0 / (span + 1)
    fast = price[0]
    slow = price[0]
    out = torch.empty_like(price)
    out[0] = price[0]
    for day in range(1, price.shape[0]):
        fast = k * price[day] + (1 - k) * fast
        slow = k * fast + (1 - k) * slow
        out[day] = 2 * fast - slow
    return out


def cases(rng):
    for days in (1, 2, 60):
        price = torch.tensor(100 + rng.standard_normal((days, 2)).cumsum(0), dtype=torch.float32)
        yield "dema", (price, 9), {}
