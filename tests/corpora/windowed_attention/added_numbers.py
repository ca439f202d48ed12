# expect: LOC304 safe scope=of_two_triangles
# expect: LOC304 safe scope=less_a_triangle
# expect: LOC304 safe scope=logarithm
# expect: LOC304 safe scope=least_number
# expect: LOC304 safe scope=of_a_function
import torch


def of_two_triangles(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    """What is added is large and finite: every query has to see its own place."""
    n = q.shape[1]
    near = torch.tril(torch.ones(n, n)) * torch.triu(torch.ones(n, n), -reach)
    scores = torch.einsum("bid,bjd->bij", q, k) - 1e9 * (1 - near)
    return torch.einsum("bij,bjd->bid", torch.softmax(scores, dim=-1), v)


def less_a_triangle(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    n = q.shape[1]
    ones = torch.ones(n, n)
    near = ones.tril() - ones.tril(-reach - 1)
    scores = torch.einsum("bid,bjd->bij", q, k) + (1 - near) * -1e9
    return torch.einsum("bij,bjd->bid", torch.softmax(scores, dim=-1), v)


def logarithm(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    n = q.shape[1]
    near = torch.tril(torch.ones(n, n)) * torch.triu(torch.ones(n, n), -reach)
    scores = torch.einsum("bid,bjd->bij", q, k) + torch.log(near)
    return torch.einsum("bij,bjd->bid", torch.softmax(scores, dim=-1), v)


def least_number(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    n = q.shape[1]
    lowest = torch.finfo(torch.float32).min
    place = torch.arange(n)
    far = (place > place.reshape(-1, 1)) | (place < place.reshape(-1, 1) - reach)
    scores = torch.einsum("bid,bjd->bij", q, k) + torch.full((n, n), lowest) * far
    return torch.einsum("bij,bjd->bid", torch.softmax(scores, dim=-1), v)


def band_of(n: int, reach: int):
    place = torch.arange(n)
    ahead = place.view(-1, 1) - place.view(1, -1)
    bias = torch.zeros(n, n)
    bias[(ahead < 0) | (ahead > reach)] = float("-inf")
    return bias


def of_a_function(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    bias = band_of(q.shape[1], reach)
    scores = torch.einsum("bid,bjd->bij", q, k) + bias
    return torch.einsum("bij,bjd->bid", torch.softmax(scores, dim=-1), v)


def cases(rng):
    for n in (1, 2, 9):
        for reach in (0, 2):
            arrays = [torch.randn(2, n, 4, requires_grad=True) for _ in range(3)]
            for name in ("of_two_triangles", "less_a_triangle", "logarithm", "least_number",
                         "of_a_function"):  # fmt: skip
                yield name, (*arrays, reach), {}
