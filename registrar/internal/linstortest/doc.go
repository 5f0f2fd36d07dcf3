// Package linstortest is a LINSTOR controller for tests: it speaks the part of
// the REST API that a registrar uses, keeps state, refuses what a controller
// refuses, and can be made to fail in every way. It is strict where a controller
// is lenient: an unknown field or an unexpected request fails the test.
//
// With the path of LINSTOR's OpenAPI document (docs/rest_v1_openapi.yaml of
// github.com/LINBIT/linstor-server) in the environment variable LINSTOR_OPENAPI
// every request and every answer is held against it too. The document is under
// the GPL and not part of this repository.
package linstortest
