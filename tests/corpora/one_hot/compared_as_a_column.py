# expect: SPA401 unsafe scope=of_tensors
# expect: SPA401 unsafe scope=turned_round
# expect: SPA401 unsafe scope=of_arrays
import numpy as np
import torch


def of_tensors(ids: torch.Tensor, table: torch.Tensor):
    hot = (ids.unsqueeze(-1) == torch.arange(table.shape[0])).float()
    return torch.matmul(hot, table)


def turned_round(ids: torch.Tensor, table: torch.Tensor):
    hot = (torch.arange(table.shape[0]) == ids[:, None]).to(table.dtype)
    return hot @ table


def of_arrays(ids: np.ndarray, table: np.ndarray):
    hot = (ids[:, None] == np.arange(table.shape[0])).astype(float)
    return hot @ table


def cases(rng):
    table = rng.normal(size=(4, 3))
    for ids in ([1, 0, 2], [3]):
        for name in ("of_tensors", "turned_round"):
            yield name, (torch.tensor(ids), torch.tensor(table, dtype=torch.float32)), {}
        yield "of_arrays", (np.array(ids), table), {}
