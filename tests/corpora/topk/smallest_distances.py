# expect: ASC110 safe scope=kth_neighbour_distance
# expect: SEP205 safe scope=kth_neighbour_distance
import torch

K = 4


def kth_neighbour_distance(points):
    d = (points[:, None] - points[None]).norm(dim=-1)
    nearest = d.sort(dim=1)[0][:, : K + 1]
    return nearest[:, 1:].mean(dim=1)


def cases(rng):
    points = torch.tensor(rng.standard_normal((40, 3)))
    yield "kth_neighbour_distance", (points,), {}
