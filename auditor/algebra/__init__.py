"""Algebra on index notation.

``evaluate`` runs it; ``normal`` decides equality (``polynomial``, ``functions``, ``bounds`` and
``binders`` are its arithmetic, ``spell`` turns a normal form back into a term); ``affine`` reads
updates as affine in carried values and products as factors; ``domains``, ``piecewise``, ``paths``
and ``lifting`` prove loops to be scans;
``sampling`` makes inputs to refute by running; ``sympy_bridge`` has sympy confirm what was derived.
"""
