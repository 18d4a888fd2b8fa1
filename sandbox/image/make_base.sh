#!/bin/sh
# Makes a small Debian base with Python for the sandbox image, for sites that reach no image registry.
# Use:   sandbox/image/make_base.sh base.tar && docker import base.tar my-base:1
# then:  SANDBOX_BASE_IMAGE=my-base:1 python -m sandbox build
# SANDBOX_DEBIAN_MIRROR names a mirror other than Debian's own, SUITE another release than bookworm.
set -eu

target=${1:?"Name the tar file to write, for example: $0 base.tar"}
suite=${SUITE:-bookworm}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

missing=""
command -v mmdebstrap >/dev/null || missing="mmdebstrap"
[ -e "$keyring" ] || missing="$missing debian-archive-keyring"
if [ -n "$missing" ]; then
    echo "Missing: $missing. Install it with the system's package manager, then run this again." >&2
    exit 1
fi

set -- --variant=apt --include=python3,python3-venv,ca-certificates --keyring="$keyring"
for path in /usr/share/doc /usr/share/man /usr/share/info /usr/share/locale; do
    set -- "$@" --dpkgopt="path-exclude=$path/*"
done
# Without a mirror named, mmdebstrap adds Debian's security updates by itself.
mmdebstrap "$@" "$suite" "$target" ${SANDBOX_DEBIAN_MIRROR:+"$SANDBOX_DEBIAN_MIRROR"}
