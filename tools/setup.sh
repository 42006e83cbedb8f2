#!/usr/bin/env bash
# Installs what is missing to build Bindpose (setup.sh demo), to test it too
# (setup.sh test) or to draw the README's picture (setup.sh picture), on Debian 12
# or a relative, as root or with sudo. It says what it installs, and does nothing
# where nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-demo}

packages="g++ ca-certificates xorg-dev libgl-dev libbullet-dev libdraco-dev libimgui-dev libmeshoptimizer-dev libvulkan1 mesa-vulkan-drivers"
case "$what" in
test) packages="$packages vulkan-validationlayers libvulkan-dev glslc spirv-tools xvfb xdotool chromium ffmpeg" ;;
picture) packages="$packages imagemagick" ;;
esac

as_root=
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi

install() {
	if ! command -v apt-get >/dev/null; then
		echo "setup: apt-get is not here. Install by hand what these Debian packages hold: $*" >&2
		exit 1
	fi
	if [ -n "$as_root" ] && ! command -v sudo >/dev/null; then
		echo "setup: sudo is not here. As root, run: apt-get update && apt-get install $*" >&2
		exit 1
	fi
	echo "setup: installing $*"
	$as_root apt-get update -q
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "$@"
}

missing=
for package in $packages; do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$state" = installed ] || missing="$missing $package"
done
# shellcheck disable=SC2086 # a list of words
[ -z "$missing" ] || install $missing

# Debian 12's Go is too old to build Bindpose, but it can fetch the right one from
# the Go module proxy, where each release is a module.
if [ -z "$(tools/find-go.sh 2>/dev/null)" ]; then
	bootstrap=$(command -v go || true)
	if [ -z "$bootstrap" ]; then
		install golang-go
		bootstrap=$(command -v go)
	fi
	version=$(sed -n 's/^toolchain go//p' go.mod)
	target=${XDG_CACHE_HOME:-$HOME/.cache}/bindpose/go$version
	arch=$(dpkg --print-architecture)
	echo "setup: fetching Go $version into $target"
	fetch=$(mktemp -d)
	trap 'rm -rf "$fetch"' EXIT
	(cd "$fetch" && GOPATH=$fetch GOFLAGS=-modcacherw "$bootstrap" mod download "golang.org/toolchain@v0.0.1-go$version.linux-$arch")
	mkdir -p "$(dirname "$target")"
	rm -rf "$target"
	mv "$fetch/pkg/mod/golang.org/toolchain@v0.0.1-go$version.linux-$arch" "$target"
	chmod -R u+w "$target"
	chmod +x "$target"/bin/* "$target"/pkg/tool/*/*
	tools/find-go.sh >/dev/null
fi

# What the Khronos glTF validator says of the files that Bindpose writes is a test.
# Its npm package goes into a folder of the user's cache.
if [ "$what" = test ]; then
	validator=${XDG_CACHE_HOME:-$HOME/.cache}/bindpose/gltf-validator
	release=2.0.0-dev.3.10
	if ! grep -qs "\"version\": \"$release\"" "$validator/node_modules/gltf-validator/package.json"; then
		command -v node >/dev/null && command -v npm >/dev/null || install nodejs npm
		echo "setup: installing gltf-validator $release into $validator"
		mkdir -p "$validator"
		printf '{"name":"bindpose-gltf-validator","private":true}\n' >"$validator/package.json"
		npm install --prefix "$validator" --no-audit --no-fund --ignore-scripts "gltf-validator@$release" ||
			echo "setup: it cannot be had; set BINDPOSE_VALIDATOR to a folder with the npm package gltf-validator" >&2
	fi
fi
