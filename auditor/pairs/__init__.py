"""All pairs of two sequences: nests of loops and broadcast tables that go through them, as a
function of one pair and where its values go."""
