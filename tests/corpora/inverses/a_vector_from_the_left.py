# expect: RED501 safe scope=distances
# expect: RED507 unsafe scope=columns
import torch


def distances(x: torch.Tensor, mu: torch.Tensor, S: torch.Tensor):
    out = []
    for i in range(len(x)):
        d = x[i] - mu
        out.append(d @ torch.linalg.inv(S) @ d)
    return torch.stack(out)


def columns(a: torch.Tensor, W: torch.Tensor):
    return torch.matmul(a[:, 0], torch.linalg.inv(W))


def cases(rng):
    matrix = torch.eye(3) + 0.1 * torch.from_numpy(rng.random((3, 3))).float()
    yield "distances", (torch.randn(4, 3), torch.randn(3), matrix), {}
    yield "columns", (torch.randn(3, 2), matrix), {}
    yield "columns", (torch.randn(2, 4, 3), matrix), {}
