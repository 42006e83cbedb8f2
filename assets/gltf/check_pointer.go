package gltf

// pointer checks KHR_animation_pointer on a channel's target.
func (c *checker) pointer(ext, target value, path string) {
	if ext.kind() != kindObject {
		return
	}
	if node := member(target, "node"); node.exists() {
		c.fault(node, "khr-animation-pointer-animation-channel-target-node", "a pointer channel has no node")
	}
	if at := member(target, "path"); at.exists() && path != "pointer" {
		c.fault(at, "khr-animation-pointer-animation-channel-target-path", "the path of a pointer channel is %q, not pointer", shorten(path))
	}
	switch p := member(ext, "pointer"); {
	case !p.exists():
		c.fault(ext, "undefined-property", "pointer is required but missing")
	case p.kind() != kindString:
		c.fault(p, "type-mismatch", "is %s, not a string", p.kind())
	case !isPointer(str(p)):
		c.fault(p, "pattern-mismatch", "%q is no JSON pointer, which begins with / and has ~ only in ~0 and ~1", shorten(str(p)))
	}
}

// isPointer tells whether a text is a JSON pointer (RFC 6901 §3).
func isPointer(s string) bool {
	if s != "" && s[0] != '/' {
		return false
	}
	for i := range len(s) {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}
