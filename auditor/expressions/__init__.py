"""Array expressions that a call replaces: the code around one, and what it rests on."""
