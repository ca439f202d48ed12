"""Softmax and its relatives: their forms, their scores as code, their streamed loops."""
