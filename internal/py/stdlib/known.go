package stdlib

// known lists, per module, public names of CPython 3.11 that this library
// does not have. A world that uses one is refused at load; see docs/python.md.
var known = map[string][]string{}
