#!/bin/sh
# Installs what the tests need from the system's packages, when root and missing, and starts a Docker engine.
# `install_system.sh venv` looks only after Python's venv module, `run` after bubblewrap where no engine answers,
# `isolation` after all that can keep code in. SKIP_SYSTEM=1 installs and starts nothing.
set -eu

missing=""

need() {
    missing="$missing $1"
}

engine_answers() {
    docker version --format '{{.Server.Version}}' >/dev/null 2>&1
}

install_missing() {
    [ -n "$missing" ] || return 0
    if [ "${SKIP_SYSTEM:-}" = 1 ]; then
        echo "Not installed (SKIP_SYSTEM=1):$missing"
        return 0
    fi
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        echo "Missing:$missing. Install them with your system's package manager, then try again."
        return 0
    fi
    echo "Installing from the system's packages:$missing"
    apt-get update -qq
    # shellcheck disable=SC2086 # a list of names
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
}

# Without an image of its own bubblewrap draws charts with the machine's fonts.
need_bubblewrap() {
    command -v bwrap >/dev/null 2>&1 || need bubblewrap
    find /usr/share/fonts -name '*wqy*' -o -name '*CJK*' 2>/dev/null | grep -q . || need fonts-wqy-microhei
}

start_engine() {
    if engine_answers || [ "${SKIP_SYSTEM:-}" = 1 ] || [ "$(id -u)" != 0 ] || ! command -v dockerd >/dev/null 2>&1; then
        return 0
    fi
    echo "Starting the Docker engine (log: /var/log/dockerd.log)"
    if [ -d /run/systemd/system ]; then
        systemctl start docker || true
    else
        rm -f /var/run/docker.pid
        setsid dockerd >/var/log/dockerd.log 2>&1 </dev/null &
    fi
    waited=0
    until engine_answers; do
        waited=$((waited + 1))
        if [ "$waited" -gt 60 ]; then
            echo "The Docker engine does not answer after 60 s. Read /var/log/dockerd.log."
            exit 1
        fi
        sleep 1
    done
}

if [ "${1:-}" = venv ]; then
    "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null || need python3-venv
    install_missing
    exit 0
fi
if [ "${1:-}" = run ]; then
    if ! engine_answers && [ "$(uname -s)" = Linux ]; then need_bubblewrap; fi
    install_missing
    exit 0
fi
if [ "${1:-}" = isolation ]; then
    need_bubblewrap
    command -v podman >/dev/null 2>&1 || need podman
    command -v newuidmap >/dev/null 2>&1 || need uidmap
    command -v runsc >/dev/null 2>&1 || need runsc
    install_missing
    exit 0
fi

if ! engine_answers && ! command -v dockerd >/dev/null 2>&1; then need docker.io; fi
need_bubblewrap
command -v mmdebstrap >/dev/null 2>&1 || need mmdebstrap
command -v chromium >/dev/null 2>&1 || need chromium
install_missing
start_engine
