// Package world loads tool worlds and runs them.
//
// A world is a plain Python module: a docstring (title, introduction, rules),
// TypedDict classes that declare the entities, and one class whose public
// methods are the tools. Load parses and compiles it into a Blueprint, which
// is immutable and shared by any number of episodes. Blueprint.New makes an
// Instance: one live episode with its own state, virtual clock and seeded ids.
//
//	bp, err := world.Load("worlds/hospital_beds.py")
//	in, err := bp.New(state, world.Options{Seed: 1})
//	res, err := in.Call(ctx, "find_patient", args)
//
// A call is a transaction. Arguments are checked against the schema that comes
// from the tool's annotations; an exception rolls the state back and becomes an
// error observation; arguments and results are copied at the boundary; only
// declared tools can be called. What a call read and wrote comes back as paths:
// "/users/U1/name" is one value, "/users/U1" the whole record, "/users/*" the
// set of keys.
//
// In compat mode an instance behaves as the field's reference implementation
// does: arguments are not checked, nothing is rolled back, the attributes of
// the object are the state, all of them. Published results are repeated that way.
//
// The package does not know tasks, checks or attacks (package suite) and makes
// no model call.
package world
