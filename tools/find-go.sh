#!/bin/sh
# Prints the path of a Go command that can build this module: the one on PATH, one
# in its usual place, or the one that setup.sh fetched. Fails, saying so, where
# there is none.
cd "$(dirname "$0")/.." || exit 1
version=$(sed -n 's/^toolchain go//p' go.mod)
for go in go /usr/local/go/bin/go "${XDG_CACHE_HOME:-$HOME/.cache}/bindpose/go$version/bin/go"; do
	path=$(command -v "$go" 2>/dev/null) || continue
	# go list reads go.mod, so it fails where this Go is too old for it.
	if "$path" list -m >/dev/null 2>&1; then
		echo "$path"
		exit 0
	fi
done
echo "no Go that can build this module; run tools/setup.sh" >&2
exit 1
