# expect: ASC101 safe scope=<module>
# A plotting script without functions.
import torch

torch.manual_seed(3)
num_steps = 400
num_runs = 16
rewards = torch.randn(num_runs, num_steps)

curve = torch.zeros(num_runs)
history = []
for step in range(num_steps):
    curve = 0.98 * curve + 0.02 * rewards[:, step]
    history.append(curve)
history = torch.stack(history, dim=-1)
final_mean = history[:, -1].mean()


def cases(rng):
    yield "lambda: (history, curve)", (), {}
