# expect: ASC101 safe scope=accumulate_episodes
import torch


def accumulate_episodes(features, is_first, decay=0.8):
    """Eligibility-like traces of (T, envs, d) that start again where an episode starts."""
    trace = torch.zeros_like(features[0])
    traces = torch.empty_like(features)
    for t in range(features.shape[0]):
        trace = torch.where(is_first[t].unsqueeze(-1), torch.zeros_like(trace), trace)
        trace = decay * trace + features[t]
        traces[t] = trace
    return traces


def cases(rng):
    for T in (1, 2, 33):
        features = torch.tensor(rng.standard_normal((T, 3, 2)), dtype=torch.float32)
        is_first = torch.tensor(rng.random((T, 3)) < 0.15)
        yield "accumulate_episodes", (features, is_first), {}
