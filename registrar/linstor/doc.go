// Package linstor speaks the part of LINSTOR's REST API (version 1) that a
// registrar needs: it reads nodes, storage pools and properties, and it makes
// the few changes for which there is a constructor of Change. Nothing else can
// be asked of a controller through this package, and that is on purpose: what
// deletes or formats is in change.go, in plain sight.
//
// It keeps no state but the address that answered last, and it never decides
// what is right; package registrar does.
package linstor
