# refuse: SPA401 what is counted is changed, divided otherwise, cut, or not the places
import torch
import torch.nn.functional as F


def set_of(ids, table):
    """ids: (B, T), table: (V, D)"""
    return F.one_hot(ids, table.shape[0]).float().amax(1) @ table


def at_most_once(ids, table):
    """ids: (B, T), table: (V, D)"""
    return F.one_hot(ids, table.shape[0]).float().sum(1).clamp(max=1) @ table


def by_the_classes(ids, table):
    """ids: (B, T), table: (V, D)"""
    return (F.one_hot(ids, table.shape[0]).float().sum(1) / table.shape[0]) @ table


def of_some_classes(ids, table):
    """ids: (B, T), table: (V, D)"""
    return F.one_hot(ids, table.shape[0])[:, :, :5].float().sum(1) @ table[:5]


def cases(rng):
    for name in ("set_of", "at_most_once", "by_the_classes", "of_some_classes"):
        ids = torch.tensor(rng.integers(0, 7, (4, 5)))
        yield name, (ids, torch.tensor(rng.standard_normal((7, 3)).astype("float32"))), {}
