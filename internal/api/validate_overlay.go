package api

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Validate sets the defaults of a LinstorSatelliteConfiguration and returns
// what is wrong with it.
func (l *LinstorSatelliteConfiguration) Validate(doc manifest.Document) problem.List {
	c := &checker{doc: doc}
	c.name(l.Metadata)
	c.labels([]any{"spec", "nodeSelector"}, l.Spec.NodeSelector)
	c.affinity([]any{"spec", "nodeAffinity"}, l.Spec.NodeAffinity)
	c.satellite(&l.Spec.SatelliteSpec)
	return c.faults
}

// Validate sets the defaults of a LinstorNodeConfiguration and returns what is
// wrong with it.
func (l *LinstorNodeConfiguration) Validate(doc manifest.Document) problem.List {
	c := &checker{doc: doc}
	c.name(l.Metadata)
	c.terms([]any{"spec", "nodeSelectorTerms"}, l.Spec.NodeSelectorTerms, false)
	c.oneOf([]any{"spec", "profile"}, l.Spec.Profile, "", "Talos", "Flatcar")
	c.customize([]any{"spec", "customizeComponents"}, l.Spec.CustomizeComponents, "satellite")
	c.satellite(&l.Spec.SatelliteSpec)
	return c.faults
}

func (c *checker) satellite(s *SatelliteSpec) {
	spec := []any{"spec"}
	c.patches(at(spec, "patches"), s.Patches)
	c.podTemplate(at(spec, "podTemplate"), s.PodTemplate)
	c.pools(at(spec, "storagePools"), s.StoragePools)
	c.properties(at(spec, "properties"), s.Properties)
	if t := s.InternalTLS; t != nil {
		c.issuer(at(spec, "internalTLS", "certManager"), t.CertManager)
		c.caReference(at(spec, "internalTLS", "caReference"), t.CAReference)
	}
	for i, f := range s.IPFamilies {
		c.oneOf(at(spec, "ipFamilies", i), string(f), "IPv4", "IPv6")
		if slices.Contains(s.IPFamilies[:i], f) {
			c.errorf(at(spec, "ipFamilies", i), "%s is listed twice", f)
		}
	}
	c.oneOf(at(spec, "deletionPolicy"), s.DeletionPolicy, "", "Evacuate", "Retain", "Delete")
	c.oneOf(at(spec, "resourceNameSuffixSeparator"), s.ResourceNameSuffixSeparator, "", "-", ".")
	if e := s.EvacuationStrategy; e != nil {
		c.duration(at(spec, "evacuationStrategy", "attachedVolumeReattachTimeout"), &e.AttachedVolumeReattachTimeout)
		c.duration(at(spec, "evacuationStrategy", "unattachedVolumeAttachTimeout"), &e.UnattachedVolumeAttachTimeout)
	}
}

func (c *checker) duration(path []any, text *string) {
	if *text == "" {
		*text = "5m"
	}
	if _, err := time.ParseDuration(*text); err != nil {
		c.errorf(path, "no duration such as 5m or 90s: %q", *text)
	}
}

var (
	poolName   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{1,46}[A-Za-z0-9]$`)
	volumeName = regexp.MustCompile(`^[A-Za-z0-9.+_-]+$`)
)

func (c *checker) pools(path []any, pools []StoragePool) {
	names, devices := map[string]bool{}, map[string]bool{}
	for i := range pools {
		p, path := &pools[i], at(path, i)
		if !poolName.MatchString(p.Name) {
			c.errorf(path, "no name of a storage pool: %q; use 3 to 48 letters, digits, _ and -, a letter or digit first and last", p.Name)
		}
		if names[p.Name] {
			c.errorf(path, "pool %q is listed twice", p.Name)
		}
		names[p.Name] = true
		c.controllerProperties(at(path, "properties"), p.Properties)
		c.poolKind(path, p)
		c.source(at(path, "source"), p, devices)
	}
}

// poolKind sets the defaults of the pool's backing and checks it.
func (c *checker) poolKind(path []any, p *StoragePool) {
	kinds := 0
	if k := p.LvmPool; k != nil {
		kinds++
		c.backing(at(path, "lvmPool", "volumeGroup"), &k.VolumeGroup, p.Name)
	}
	if k := p.LvmThinPool; k != nil {
		kinds++
		c.backing(at(path, "lvmThinPool", "thinPool"), &k.ThinPool, p.Name)
		c.backing(at(path, "lvmThinPool", "volumeGroup"), &k.VolumeGroup, "linstor_"+k.ThinPool)
	}
	if k := p.FilePool; k != nil {
		kinds++
		c.directory(at(path, "filePool", "directory"), k, p.Name)
	}
	if k := p.FileThinPool; k != nil {
		kinds++
		c.directory(at(path, "fileThinPool", "directory"), k, p.Name)
	}
	if k := p.ZfsPool; k != nil {
		kinds++
		c.zpool(k, p.Name)
	}
	if k := p.ZfsThinPool; k != nil {
		kinds++
		c.zpool(k, p.Name)
	}
	if kinds != 1 {
		c.errorf(path, "pool %q needs exactly one of lvmPool, lvmThinPool, filePool, fileThinPool, zfsPool, zfsThinPool; it has %d", p.Name, kinds)
	}
}

func (c *checker) backing(path []any, name *string, byDefault string) {
	if *name == "" {
		*name = byDefault
	}
	if !volumeName.MatchString(*name) {
		c.errorf(path, "no name for LVM: %q; use letters, digits and . + _ -", *name)
	}
}

func (c *checker) directory(at []any, k *FilePool, pool string) {
	if k.Directory == "" {
		k.Directory = "/var/lib/linstor-pools/" + pool
	}
	if !path.IsAbs(k.Directory) || path.Clean(k.Directory) != k.Directory || k.Directory == "/" || strings.Contains(k.Directory, ":") {
		c.errorf(at, "want an absolute, clean path without a colon, found %q", k.Directory)
	}
}

func (c *checker) zpool(k *ZfsPool, pool string) {
	if k.ZPool == "" {
		k.ZPool = pool
	}
	if k.ZPoolCreateArguments == nil {
		k.ZPoolCreateArguments = []string{"-o", "failmode=continue"}
	}
}

func (c *checker) source(at []any, p *StoragePool, seen map[string]bool) {
	if p.Source == nil {
		return
	}
	if p.FilePool != nil || p.FileThinPool != nil {
		c.errorf(at, "a file pool takes no source")
	}
	if len(p.Source.HostDevices) == 0 {
		c.errorf(at, "hostDevices needs a device")
	}
	for i, d := range p.Source.HostDevices {
		where := append(at, "hostDevices", i)
		if !strings.HasPrefix(d, "/dev/") || path.Clean(d) != d {
			c.errorf(where, "want a clean path below /dev/, found %q", d)
		}
		if seen[d] {
			c.errorf(where, "device %s is used twice", d)
		}
		seen[d] = true
	}
}

func (c *checker) properties(path []any, list []NodeProperty) {
	seen := map[string]bool{}
	for i, p := range list {
		path := at(path, i)
		switch {
		case p.Name == "" && p.ExpandFrom == nil:
			c.errorf(path, "the property needs a name")
		case seen[p.Name]:
			c.errorf(path, "property %q is set twice", p.Name)
		}
		seen[p.Name] = true
		sources := 0
		if p.Value != nil {
			sources++
		}
		if p.ValueFrom != nil {
			sources++
			c.fieldRef(at(path, "valueFrom", "nodeFieldRef"), p.ValueFrom.NodeFieldRef, false)
		}
		if e := p.ExpandFrom; e != nil {
			sources++
			c.fieldRef(at(path, "expandFrom", "nodeFieldRef"), e.NodeFieldRef, true)
			if e.NameTemplate != "" && e.Delimiter != "" {
				c.errorf(at(path, "expandFrom"), "give nameTemplate (one property per key) or delimiter (one property in all), not both")
			}
		}
		if sources != 1 {
			c.errorf(path, "property %q needs exactly one of value, valueFrom and expandFrom; it has %d", p.Name, sources)
		}
	}
}

func (c *checker) fieldRef(path []any, text string, expand bool) {
	if _, err := ParseFieldRef(text, expand); err != nil {
		c.errorf(path, "%v", err)
	}
}
