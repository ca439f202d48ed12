# expect: ASC101 safe scope=compute_gae
# Generalised advantage estimation in the manner of single-file PPO scripts.
import torch


def compute_gae(rewards, values, dones, next_value, next_done, gamma=0.99, lam=0.95):
    num_steps = rewards.shape[0]
    with torch.no_grad():
        advantages = torch.zeros_like(rewards)
        last_gae = 0
        for t in reversed(range(num_steps)):
            if t == num_steps - 1:
                alive = 1.0 - next_done
                following = next_value
            else:
                alive = 1.0 - dones[t + 1]
                following = values[t + 1]
            delta = rewards[t] + gamma * following * alive - values[t]
            advantages[t] = last_gae = delta + gamma * lam * alive * last_gae
        returns = advantages + values
    return advantages, returns


def cases(rng):
    for steps, envs in ((1, 2), (2, 1), (48, 3)):
        rewards = torch.tensor(rng.standard_normal((steps, envs)), dtype=torch.float32)
        values = torch.tensor(rng.standard_normal((steps, envs)), dtype=torch.float32)
        dones = torch.tensor(rng.random((steps, envs)) < 0.2).float()
        next_value = torch.tensor(rng.standard_normal(envs), dtype=torch.float32)
        next_done = torch.tensor(rng.random(envs) < 0.5).float()
        yield "compute_gae", (rewards, values, dones, next_value, next_done), {}
