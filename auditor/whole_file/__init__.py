"""What the rest of a file says of a function: what its calls pass, who else runs it, what classes
and decorators make of it."""
