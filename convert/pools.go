package convert

// poolKind is a list of storage pools of Piraeus 1 and what it is here.
type poolKind struct {
	list, kind string
	names      map[string]string // of what backs a pool, by what Piraeus 1 called them
}

var poolKinds = []poolKind{
	{"lvmPools", "lvmPool", map[string]string{"volumeGroup": "volumeGroup"}},
	{"lvmThinPools", "lvmThinPool", map[string]string{"thinVolume": "thinPool", "volumeGroup": "volumeGroup"}},
	{"zfsPools", "zfsPool", map[string]string{"zPool": "zPool"}},
}

// pools converts the storage pools of a set of satellites.
func (c *converter) pools(f field, t *target) {
	for _, kind := range poolKinds {
		for _, p := range f.at(kind.list).list() {
			backing := map[string]any{}
			for from, into := range kind.names {
				if name := p.at(from).text(); name != "" {
					backing[into] = name
				}
			}
			name := kind.kind
			if kind.kind == "zfsPool" && p.at("thin").flag(false) {
				name = "zfsThinPool"
			}
			pool := map[string]any{"name": p.at("name").text(), name: backing}
			if devices := p.at("devicePaths"); len(devices.list()) > 0 {
				pool["source"] = map[string]any{"hostDevices": devices.whole()}
			}
			p.handmade()
			t.pools = append(t.pools, &piece{pool, []*node{p.n}})
		}
	}
}

// handmade lists what LINSTOR did to the devices of a pool and does not here.
func (f field) handmade() {
	const hint = "make the volume group by hand before, with what it is to have"
	f.at("vdo").dropUnless("LINSTOR sets up no VDO here", hint, false)
	f.at("vdoLogicalSizeKib").dropUnless("LINSTOR sets up no VDO here", hint, int64(0))
	f.at("vdoSlabSizeKib").dropUnless("LINSTOR sets up no VDO here", hint, int64(0))
	f.at("raidLevel").drop("LINSTOR sets up no RAID here", hint)
}
