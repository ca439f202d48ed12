# expect: ASC101 safe scope=advantages_of
# The value of the last observation is a row of its own, with a first axis of extent 1.
import torch


def advantages_of(rewards, values, dones, last_obs_value, next_done, gamma: float, lam: float):
    steps = rewards.shape[0]
    with torch.no_grad():
        next_value = last_obs_value.reshape(1, -1)
        advantages = torch.zeros_like(rewards)
        lastgaelam = 0
        for t in reversed(range(steps)):
            if t == steps - 1:
                nextnonterminal = 1.0 - next_done
                nextvalues = next_value
            else:
                nextnonterminal = 1.0 - dones[t + 1]
                nextvalues = values[t + 1]
            delta = rewards[t] + gamma * nextvalues * nextnonterminal - values[t]
            advantages[t] = lastgaelam = delta + gamma * lam * nextnonterminal * lastgaelam
        returns = advantages + values
    return advantages, returns


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    ends = lambda *s: torch.tensor(rng.random(s) < 0.3, dtype=torch.float32)
    for n in (1, 7):
        rows = (draw(n, 3), draw(n, 3), ends(n, 3), draw(3, 1), ends(3))
        yield "advantages_of", (*rows, 0.99, 0.95), {}
