package linstortest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

func (s *Server) clusterRoutes() {
	s.handle("GET /v1/controller/properties", func(*http.Request, []byte) (int, any) {
		return http.StatusOK, s.controller
	})
	s.handle("POST /v1/controller/properties", func(_ *http.Request, body []byte) (int, any) {
		s.modify("POST controller/properties", body, &s.controller)
		return done(http.StatusCreated, "Properties modified.")
	})
	s.handle("GET /v1/node-connections", func(*http.Request, []byte) (int, any) {
		list := []connection{}
		pairs := slices.SortedFunc(maps.Keys(s.connections), func(a, b [2]string) int {
			return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1])
		})
		for _, pair := range pairs {
			// A controller keeps no order of the two.
			list = append(list, connection{NodeA: pair[1], NodeB: pair[0], Props: s.connections[pair]})
		}
		return http.StatusOK, list
	})
	s.handle("PUT /v1/node-connections/{a}/{b}", func(r *http.Request, body []byte) (int, any) {
		pair := [2]string{r.PathValue("a"), r.PathValue("b")}
		slices.Sort(pair[:])
		for _, n := range pair {
			if s.nodes[n] == nil {
				return fail(http.StatusNotFound, notFound, "Node '%s' not found.", n)
			}
		}
		props := s.connections[pair]
		s.modify("PUT node-connections", body, &props)
		s.connections[pair] = props
		return done(http.StatusOK, "Connection modified.")
	})
	s.handle("GET /v1/encryption/passphrase", func(*http.Request, []byte) (int, any) {
		status := "unset"
		if s.secret != "" {
			status = map[bool]string{true: "unlocked", false: "locked"}[s.unlocked]
		}
		return http.StatusOK, []map[string]string{{"status": status}}
	})
	s.handle("POST /v1/encryption/passphrase", func(_ *http.Request, body []byte) (int, any) {
		var c struct {
			New string `json:"new_passphrase"`
		}
		s.decode("POST encryption/passphrase", body, &c, "new_passphrase")
		if s.secret != "" {
			s.t.Error("a passphrase is set over another one")
			return fail(http.StatusInternalServerError, exists, "The passphrase is set already.")
		}
		s.secret, s.unlocked = c.New, true
		return done(http.StatusOK, "Passphrase set.")
	})
	s.handle("PATCH /v1/encryption/passphrase", func(_ *http.Request, body []byte) (int, any) {
		var secret string
		s.decode("PATCH encryption/passphrase", body, &secret)
		if secret != s.secret {
			return fail(http.StatusBadRequest, invalid, "The passphrase is wrong.")
		}
		s.unlocked = true
		return done(http.StatusOK, "Passphrase accepted.")
	})
}
