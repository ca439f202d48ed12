# refuse: what the calls give is no tensor: a tuple, an array of NumPy, an iterator, a storage

import numpy as np
import torch


def differences_of_parts(x: torch.Tensor):
    parts = torch.unbind(x)
    y = torch.zeros(len(parts))
    for i in range(1, len(parts)):
        y[i] = parts[i] - parts[i - 1]
    return y


def doubled_chunks(x: torch.Tensor):
    chunks = x.chunk(len(x))
    y = torch.zeros(len(chunks))
    for i in range(len(chunks)):
        y[i] = chunks[i] * 2
    return y


def differences_of_an_array(x: torch.Tensor):
    x = x.numpy()
    y = torch.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = x[i] - x[i - 1]
    return y


def doubled_entries(x: np.ndarray):
    entries = x.flat
    y = np.zeros(len(entries))
    for i in range(len(entries)):
        y[i] = entries[i] * 2
    return y


def doubled_memory(x: np.ndarray):
    memory = memoryview(x)
    y = np.zeros(len(memory))
    for i in range(len(memory)):
        y[i] = memory[i] * 2
    return y


def cases(rng):
    for n in (1, 2, 7):
        x = rng.standard_normal(n)
        yield "differences_of_parts", (torch.tensor(x),), {}
        yield "doubled_chunks", (torch.tensor(x),), {}
        yield "differences_of_an_array", (torch.tensor(x),), {}
        yield "doubled_entries", (x,), {}
        yield "doubled_memory", (x,), {}
