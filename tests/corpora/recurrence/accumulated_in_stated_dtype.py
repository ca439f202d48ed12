# expect: ASC101 safe scope=GatedRecurrence.scan
import torch
from torch import nn


class GatedRecurrence(nn.Module):
    def scan(
        self,
        inputs: torch.Tensor,
        gate: torch.Tensor,
        starts: torch.Tensor,
        state: torch.Tensor | None = None,
        accumulate: torch.dtype = torch.float32,
    ):
        gate = gate * ~starts
        if inputs.shape[1] == 1 and state is not None:
            only = gate.type(accumulate) * state[:, None].to(gate.device)
            only += inputs.type(accumulate)
            return only.type(inputs.dtype), only[:, -1]
        if state is None:
            state = torch.zeros(inputs[:, 0].shape, dtype=accumulate, device=inputs.device)
        outputs = torch.zeros_like(inputs)
        for t in range(inputs.shape[1]):
            state = gate[:, t].type(accumulate) * state.to(gate.device)
            state = state + inputs[:, t].type(accumulate)
            outputs[:, t] = state.type(inputs.dtype)
        return outputs, state


def cases(rng):
    def draw(*shape, dtype=torch.float32):
        return torch.tensor(rng.standard_normal(shape), dtype=dtype)

    for length in (2, 13):
        starts = torch.tensor(rng.random((3, length, 1)) < 0.3)
        gate = torch.tensor(rng.random((3, length, 4))).float().requires_grad_()
        inputs = draw(3, length, 4).requires_grad_()
        yield "GatedRecurrence().scan", (inputs, gate, starts), {}
        yield "GatedRecurrence().scan", (inputs, gate, starts, draw(3, 4).requires_grad_()), {}
        halves = (draw(3, length, 4, dtype=torch.float16), gate.detach().half(), starts)
        yield "GatedRecurrence().scan", halves, {"accumulate": torch.float64}
