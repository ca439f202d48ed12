# expect: ASC109 safe scope=get_attention_scores
import torch


def get_attention_scores(query, key, value, scale: float):
    baddbmm_input = torch.empty(
        query.shape[0], query.shape[1], key.shape[1], dtype=query.dtype, device=query.device
    )
    attention_scores = torch.baddbmm(
        baddbmm_input, query, key.transpose(-1, -2), beta=0, alpha=scale
    )
    attention_probs = attention_scores.softmax(dim=-1)
    attention_probs = attention_probs.to(value.dtype)
    return torch.bmm(attention_probs, value)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "get_attention_scores",
        (
            draw(3, 5, 4),
            draw(3, 7, 4),
            draw(3, 7, 4),
            0.3,
        ),
        {},
    )
