"""Exit statuses: nothing to report, findings, the audit could not do its work, interrupted."""

CLEAN, FINDINGS, FAILED, INTERRUPTED = 0, 1, 2, 130
