"""Numbers of axes of which the code says nothing: guessed from uses, supposed, told by calls."""
