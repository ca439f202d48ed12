"""From terms to source text: expressions, lines that fit, imports, comments, whole edits."""
