// Package registrar keeps LINSTOR equal to what git says: of one node
// (node.json, beside its satellite) or of the cluster (cluster.json, beside the
// controller).
//
// It looks, plans and applies, over and over. Planning is a pure function of
// what is wanted and what was seen; its result is a list of steps, each with a
// sentence for people, and of faults. What a step may ask of LINSTOR is what
// package linstor has constructors for. So whatever this package does not plan
// is not done:
//
//   - no node is ever deleted, and no network interface;
//   - a storage pool is removed only when git lists it as removed and LINSTOR
//     says that nothing is in it;
//   - a device is written to only while LINSTOR says that it is empty, and only
//     for a pool that is not there;
//   - properties that somebody else set stay.
package registrar
