# expect: ASC102 safe scope=SlowMixer.forward
import torch
import torch.nn.functional as F
from torch import nn


class SlowMixer(nn.Module):
    """The path that needs no compiled extension."""

    def __init__(self, hidden, state_size, rank):
        super().__init__()
        self.state_size = state_size
        self.rank = rank
        self.in_proj = nn.Linear(hidden, 2 * hidden, bias=False)
        self.x_proj = nn.Linear(hidden, rank + 2 * state_size, bias=False)
        self.dt_proj = nn.Linear(rank, hidden)
        A = torch.arange(1, state_size + 1, dtype=torch.float32).repeat(hidden, 1)
        self.A_log = nn.Parameter(torch.log(A))
        self.D = nn.Parameter(torch.ones(hidden))
        self.out_proj = nn.Linear(hidden, hidden, bias=False)

    def forward(self, inputs):
        seq_len = inputs.shape[1]
        hidden, gate = self.in_proj(inputs).transpose(1, 2).chunk(2, dim=1)
        hidden = F.silu(hidden)

        params = self.x_proj(hidden.transpose(1, 2))
        time_step, B, C = torch.split(params, [self.rank, self.state_size, self.state_size], dim=-1)
        time_step = F.softplus(self.dt_proj(time_step)).transpose(1, 2)

        A = -torch.exp(self.A_log.float())
        discrete_A = torch.exp(A[None, :, None, :] * time_step[:, :, :, None])
        discrete_B = time_step[:, :, :, None] * B[:, None, :, :]
        deltaB_u = discrete_B * hidden[:, :, :, None]

        ssm_state = torch.zeros(
            (inputs.shape[0], hidden.shape[1], self.state_size), dtype=inputs.dtype
        )
        scan_outputs = []
        for i in range(seq_len):
            ssm_state = discrete_A[:, :, i, :] * ssm_state + deltaB_u[:, :, i, :]
            scan_output = torch.matmul(ssm_state, C[:, i, :].unsqueeze(-1))
            scan_outputs.append(scan_output[:, :, 0])
        scan_output = torch.stack(scan_outputs, dim=-1)
        scan_output = scan_output + hidden * self.D[None, :, None]
        scan_output = scan_output * F.silu(gate)
        return self.out_proj(scan_output.transpose(1, 2))


def cases(rng):
    for b, l in ((1, 2), (2, 17)):
        x = torch.tensor(rng.standard_normal((b, l, 6)), dtype=torch.float32)
        yield "SlowMixer(6, 4, 2)", (x.requires_grad_(),), {}
