#!/bin/sh
# Makes sure a Docker engine answers. Idempotent; called by `make demo`, `make test` and CI.
#
#   1. an engine answers (DOCKER_HOST, the docker context, or the usual socket)  -> use it, exit 0
#   2. Debian or Ubuntu, as root or with password-less sudo                       -> install docker.io, start it, exit 0
#   3. anywhere else                                                              -> say what to install, exit 3
#
# Everything it says goes to stderr. The daemon it starts by hand (no systemd) has no bridge and touches no firewall:
# the sandbox's containers have no network anyway. Stop that one with: kill "$(cat /run/bootcamp/docker.pid)"
set -eu

STATE=${BOOTCAMP_ENGINE_STATE:-/run/bootcamp}
SOCKET=/var/run/docker.sock
LOG=$STATE/dockerd.log
WAIT_S=30

say() { printf 'ensure_engine: %s\n' "$*" >&2; }

answers() {
    if command -v docker >/dev/null 2>&1; then
        docker version --format '{{.Server.Version}}' >/dev/null 2>&1
    elif command -v curl >/dev/null 2>&1 && [ -S "$SOCKET" ]; then
        curl -sf --max-time 5 --unix-socket "$SOCKET" http://localhost/_ping >/dev/null 2>&1
    else
        return 1
    fi
}

wait_until_it_answers() {
    deadline=$(($(date +%s) + WAIT_S))
    while [ "$(date +%s)" -lt "$deadline" ]; do
        if answers; then return 0; fi
        sleep 0.3
    done
    return 1
}

give_up() {
    say "no Docker engine answers, and $1."
    say "  → Debian/Ubuntu: sudo apt-get install -y --no-install-recommends docker.io && sudo systemctl start docker"
    say "  → Fedora:        sudo dnf install -y moby-engine && sudo systemctl start docker"
    say "  → macOS/Windows: install Docker Desktop (or colima, OrbStack, Rancher Desktop) and start it"
    say "  → elsewhere:     https://docs.docker.com/engine/install/ ; a remote engine: set DOCKER_HOST"
    say "  → your user must be allowed to use the socket: sudo usermod -aG docker \"\$USER\", then log in again"
    exit 3
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_engine() {
    say "installing docker.io with apt-get"
    apt_log=$(mktemp)
    # shellcheck disable=SC2024  # the log is ours, not root's
    install_once() {
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends docker.io >"$apt_log" 2>&1
    }
    install_once || { as_root apt-get update >/dev/null 2>&1 && install_once; } || {
        tail -n 20 "$apt_log" >&2
        rm -f "$apt_log"
        give_up "apt-get could not install docker.io (its last lines are above)"
    }
    rm -f "$apt_log"
}

forget_stale() { # a killed daemon leaves its pid behind: of a zombie, of nobody, or by now of another process
    pid=$(as_root cat "$1" 2>/dev/null) || return 0
    case $(as_root readlink "/proc/$pid/exe" 2>/dev/null) in
        */"$2") ;;
        *) as_root rm -f "$1" ;;
    esac
}

start_by_hand() {
    as_root mkdir -p "$STATE"
    forget_stale "$STATE/docker.pid" dockerd
    forget_stale "$STATE/exec/containerd/containerd.pid" containerd
    say "starting dockerd (log: $LOG)"
    # setsid: the daemon must outlive this shell and not get the terminal's Ctrl-C. The shell that waits for it keeps
    # none of our streams: whoever reads them through a pipe would wait as long as the daemon lives.
    (
        exec >/dev/null 2>&1 </dev/null
        as_root setsid sh -c "exec dockerd --data-root /var/lib/docker --exec-root $STATE/exec \
            --pidfile $STATE/docker.pid -H unix://$SOCKET \
            --bridge none --iptables=false --ip6tables=false >$LOG 2>&1 </dev/null"
    ) &
}

start_engine() {
    if [ -d /run/systemd/system ]; then
        say "starting docker with systemctl"
        as_root systemctl start docker || say "systemctl could not start it"
    else
        start_by_hand
    fi
}

if answers; then
    exit 0
fi
if [ -n "${DOCKER_HOST:-}" ]; then
    say "DOCKER_HOST=$DOCKER_HOST is set, but no engine answers there."
    say "  → start that engine, or unset DOCKER_HOST to use one on this machine"
    exit 3
fi
command -v apt-get >/dev/null 2>&1 || give_up "this is not Debian or Ubuntu"
[ "$(uname -s)" = Linux ] || give_up "this is not Linux"
as_root true 2>/dev/null || give_up "installing one needs root or password-less sudo"

# One at a time: two `make` runs must not start two daemons.
if [ -z "${BOOTCAMP_ENGINE_LOCKED:-}" ] && command -v flock >/dev/null 2>&1; then
    # -o: the daemon must not inherit the lock. One file per user: another user's may not be opened.
    exec env BOOTCAMP_ENGINE_LOCKED=1 flock -o "${TMPDIR:-/tmp}/bootcamp-engine.$(id -u).lock" sh "$0" "$@"
fi

if ! command -v dockerd >/dev/null 2>&1 || ! command -v docker >/dev/null 2>&1; then
    install_engine
fi
if answers; then # the package may have started it
    exit 0
fi
start_engine
if ! wait_until_it_answers; then
    say "dockerd did not answer within $WAIT_S s. The end of its log:"
    { [ -r "$LOG" ] && tail -n 20 "$LOG" || as_root journalctl -u docker -n 20 --no-pager; } >&2 2>/dev/null || true
    exit 3
fi
say "engine $(docker version --format '{{.Server.Version}}') answers"
