# expect: ASC109 safe scope=behind_dots
# expect: ASC109 safe scope=behind_a_slice
# expect: ASC109 safe scope=of_all_scores
# expect: ASC109 safe scope=by_places
# expect: ASC109 safe scope=by_a_triangle
import torch


def behind_dots(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    s = q @ k.transpose(-2, -1) / d**0.5
    causal = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
    s[..., causal] = float("-inf")
    return torch.softmax(s, -1) @ v


def behind_a_slice(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    s = q @ k.transpose(-2, -1) / d**0.5
    causal = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
    s[:, causal] = float("-inf")
    weights = torch.softmax(s, dim=-1)
    return weights @ v


def of_all_scores(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    s = q @ k.T / d**0.5
    mask = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
    s[mask] = -1e9
    return torch.softmax(s, -1) @ v


def by_places(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    s = q @ k.transpose(-2, -1) / d**0.5
    causal = torch.arange(n)[None, :] > torch.arange(n)[:, None]
    s[..., causal] = -1e9
    return torch.softmax(s, -1) @ v


def by_a_triangle(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    s = q @ k.transpose(-2, -1) / d**0.5
    causal = torch.tril(torch.ones(n, n)) == 0
    s[:, causal] = -1e9
    return torch.softmax(s, -1) @ v


def cases(rng):
    made = lambda *s: torch.tensor(rng.standard_normal(s), requires_grad=True)
    for n in (1, 2, 7):
        for name in ("behind_dots", "behind_a_slice", "by_places", "by_a_triangle"):
            yield name, (made(2, n, 4), made(2, n, 4), made(2, n, 4)), {}
        yield "of_all_scores", (made(n, 4), made(n, 4), made(n, 4)), {}
