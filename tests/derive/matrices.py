"""Loops that carry vectors and matrices which each step multiplies."""

import math

import numpy as np
import torch
from scipy.special import logsumexp


def state_space(A, b, h0):
    h = h0
    for t in range(len(A)):
        h = A[t] @ h + b[t]
    return h


def state_space_zip(As: list[np.ndarray], bs: list[np.ndarray], h):
    for A, b in zip(As, bs):
        h = A @ h + b
    return h


def chain_product(mats):
    M = np.eye(3)
    for m in mats:
        M = m @ M
    return M


def chain_right(mats: torch.Tensor):
    out = torch.eye(mats.shape[-1])
    for t in range(mats.shape[0]):
        out = out @ mats[t]
    return out


def camera_poses(rel):
    pose = np.eye(4)
    poses = []
    for T in rel:
        pose = pose.dot(T)
        poses.append(pose)
    return poses


def hmm_forward(pi, T, emit):
    alpha = pi * emit[0]
    for t in range(1, len(emit)):
        alpha = (alpha @ T) * emit[t]
    return alpha.sum()


def hmm_forward_scaled(pi, T, emit):
    alpha = pi * emit[0]
    ll = 0.0
    for t in range(1, len(emit)):
        alpha = (alpha @ T) * emit[t]
        c = alpha.sum()
        ll += np.log(c)
        alpha = alpha / c
    return ll


def hmm_obs(pi, T, B, obs):
    alpha = pi
    for o in obs:
        alpha = (alpha @ T) * B[:, o]
    return alpha


def hmm_log(log_pi, log_T, log_emit):
    alpha = log_pi + log_emit[0]
    for t in range(1, log_emit.shape[0]):
        alpha = torch.logsumexp(alpha.unsqueeze(1) + log_T, dim=0) + log_emit[t]
    return torch.logsumexp(alpha, dim=0)


def viterbi(log_pi, log_T, log_emit):
    v = log_pi + log_emit[0]
    for t in range(1, len(log_emit)):
        v = np.max(v[:, None] + log_T, axis=0) + log_emit[t]
    return v.max()


def delta_rule(k, v, beta):
    S = np.zeros((3, 3))
    for t in range(len(k)):
        S = S + beta[t] * np.outer(v[t] - S @ k[t], k[t])
    return S


def kalman_predict_var(Fs, Qs, P):
    for F, Q in zip(Fs, Qs):
        P = F @ P @ F.T + Q
    return P


def rnn_linear(W, U, xs, h):
    for x in xs:
        h = W @ h + U @ x
    return h


def fib_mat(n):
    a = np.array([[1, 1], [1, 0]])
    r = np.eye(2, dtype=int)
    for _ in range(n):
        r = r @ a
    return r


def einsum_state(A, B, x, h):
    for t in range(len(x)):
        h = np.einsum("ij,j->i", A[t], h) + B[t] * x[t]
    return h


def shortest_layers(layers, dist):
    for W in layers:
        dist = (dist[:, None] + W).min(axis=0)
    return dist


def euler(A, dt, b, h):
    for bt in b:
        h = h + dt * (A @ h + bt)
    return h


def batch_crf(emissions, trans, score):
    for e in emissions:
        score = torch.logsumexp(score.unsqueeze(2) + trans.unsqueeze(0) + e.unsqueeze(1), dim=1)
    return score


def batch_hmm(T, em, alpha):
    for e in em:
        alpha = torch.matmul(alpha, T) * e
    return alpha


def viterbi_vals(emissions, trans, score):
    for i in range(len(emissions)):
        score = torch.max(score.unsqueeze(-1) + trans, dim=-2).values + emissions[i]
    return score


def bcast_hmm(T, em, p):
    for e in em:
        p = (p[:, None] * T).sum(axis=0) * e
    return p


def left_hmm(T, em, p):
    for e in em:
        p = (T * p[None, :]).sum(axis=1) * e
    return p


def left_hmm2(T, em, p):
    for e in em:
        p = e * np.dot(T, p)
    return p


def gated_delta(ks, vs, bs, gs, S):
    for k, v, b, g in zip(ks, vs, bs, gs):
        S = g * S
        S = S + b * torch.outer(v - S @ k, k)
    return S


def delta_kv(ks, vs, S):
    for k, v in zip(ks, vs):
        S = S + np.outer(k, v - S.T @ k)
    return S


def delta_kv2(ks, vs, S):
    for k, v in zip(ks, vs):
        S = S + np.outer(k, v - k @ S)
    return S


def householder(vs, Q):
    for v in vs:
        Q = Q - 2 * np.outer(v, v @ Q)
    return Q


def masked_step(A, m, h):
    for At, mt in zip(A, m):
        if mt:
            h = At @ h
    return h


def switch(A, B, flags, h):
    for f in flags:
        if f:
            h = A @ h
        else:
            h = B @ h
    return h


def logdot(lT, le, la):
    for e in le:
        la = logsumexp(la[:, None] + lT, axis=0) + e
    return la


def logred(lT, le, la):
    for e in le:
        la = e + np.logaddexp.reduce(lT + la, axis=1)
    return la


def minplus_mat(Ws, D):
    for W in Ws:
        D = np.min(D[:, :, None] + W[None, :, :], axis=1)
    return D


def covar(F_, Q, P):
    for q in Q:
        P = np.dot(np.dot(F_, P), F_.T) + q
    return P


def imatmul(ms):
    M = np.eye(3)
    for m in ms:
        M @= m
    return M


def forward_scaled_by_sums(pi, T, emit):
    alpha = pi
    ll = 0.0
    for e in emit:
        alpha = (alpha @ T) * e
        c = alpha.sum()
        ll += math.log(c)
        alpha = alpha / c
    return ll


def forward_from_the_left(pi, T, emit):
    alpha = pi
    loglik = 0.0
    for e in emit:
        alpha = T.T @ alpha * e
        norm = np.sum(alpha)
        alpha /= norm
        loglik = loglik + np.log(norm)
    return alpha, loglik


def lyapunov(Js, v):
    total = 0.0
    for J in Js:
        v = J @ v
        n = np.linalg.norm(v)
        total += np.log(n)
        v = v / n
    return total


def power_method(A, v, n):
    for _ in range(n):
        v = A @ v
        v /= np.linalg.norm(v)
    return v


def moved_in_every_place(A, h, xs):
    for _ in xs:
        h = A @ h + 1.0
    return h


def moved_back_in_every_place(As: torch.Tensor, h: torch.Tensor):
    for A in As:
        h = h @ A - 0.5
    return h


def one_through_the_other(A, B, xs, h, y):
    for x in xs:
        h, y = A @ h + y, B @ y + x
    return h


def with_momentum(A: np.ndarray, bs: np.ndarray, w: np.ndarray, v: np.ndarray):
    for b in bs:
        v = 0.9 * v + (A @ w - b)
        w = w - 0.1 * v
    return w


def back_and_forth(W: torch.Tensor, U: torch.Tensor, g: torch.Tensor, xs: torch.Tensor, h, c):
    for x in xs:
        c = g * c + W @ h
        h = U @ c + 0.5 * h - x + 1.0
    return h, c
