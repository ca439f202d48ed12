"""What code costs and what a rewrite is predicted to gain on a machine."""
