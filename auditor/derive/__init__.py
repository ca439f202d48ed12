"""From a sequential loop over a stream to a program that runs on parts of it: reading the loop as
a fold over scalars, and writing the monoid that ``auditor.algebra`` derives as Python."""
