# refuse: more than one place of a row is 1
import torch


def up_to(ids: torch.Tensor, table: torch.Tensor):
    mask = (ids.unsqueeze(-1) > torch.arange(table.shape[0])).float()
    return mask @ table


def cases(rng):
    table = torch.tensor(rng.normal(size=(4, 3)), dtype=torch.float32)
    yield "up_to", (torch.tensor([1, 0, 2]), table), {}
    yield "up_to", (torch.tensor([3]), table), {}
