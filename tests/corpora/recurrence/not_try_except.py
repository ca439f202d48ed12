# refuse: a bad row is skipped by catching its exception
import torch


def tolerant_average(rows, decay):
    avg = None
    for row in rows:
        try:
            value = torch.tensor([float(cell) for cell in row])
        except ValueError:
            continue
        avg = value if avg is None else decay * avg + (1 - decay) * value
    return avg


def cases(rng):
    rows = [["1", "2"], ["x", "0"], ["0.5", "-1"], ["3", "4"]]
    yield "tolerant_average", (rows, 0.7), {}
