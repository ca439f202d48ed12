"""What the code says of the arrays that it reads: that they are arrays, of which library, how
large, where they lie, who changes them."""
