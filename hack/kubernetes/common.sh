# shellcheck shell=bash disable=SC2034 # some variables are for the scripts that source this
# What hack/control-plane and hack/kind share: messages, waiting, locks, processes. To be sourced.

if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then # older versions treat an empty array as unset
  printf '%s: this is bash %s, but 4.4 or newer is needed; install one and put it first on the PATH\n' \
    "${0##*/}" "$BASH_VERSION" >&2
  exit 1
fi

KUBERNETES_VERSION=v1.37.1
KIND_NODE_IMAGE=kindest/node:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5 # the default of kind v0.33.0
CACHE=${XDG_CACHE_HOME:-${HOME:?is not set, and neither is XDG_CACHE_HOME}/.cache}/fakegpu
WHY= # the reason why something is not available, as part of a sentence

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
die() {
  warn "${0##*/}: $*"
  exit 1
}
usage_error() {
  warn "${0##*/}: $*; see ${0##*/} --help"
  exit 2
}

# The options that the usage of the script lists, one on each line.
option_names() { usage | sed -n 's/^  \(--[a-z-]*\) .*/\1/p'; }

unknown_option() { # OPTION
  usage_error "unknown option \"$1\"; the options are $(option_names | paste -sd, | sed 's/,/, /g')"
}

has() { command -v "$1" >/dev/null 2>&1; }

not() { ! "$@"; }

# Sets KUBECTL to the one on the PATH or, without one, to any in the cache of hack/control-plane.
find_kubectl() {
  local cached
  KUBECTL=$(command -v kubectl) && return
  for cached in "$CACHE/k8s/$KUBERNETES_VERSION/kubectl" "$CACHE"/k8s/v*/kubectl; do
    KUBECTL=$cached
    [[ ! -x $KUBECTL ]] || return 0
  done
  die "there is no kubectl on the PATH; install one, or run hack/control-plane binaries"
}

# check_version VERSION: sets VERSION_CHECKED to it, with the leading v.
check_version() {
  VERSION_CHECKED=v${1#v}
  [[ $VERSION_CHECKED =~ ^v1\.[0-9]+\.[0-9]+(-(alpha|beta|rc)\.[0-9]+)?$ ]] ||
    usage_error "\"$1\" is not a Kubernetes version like $KUBERNETES_VERSION"
}

# minor VERSION: 37 for v1.37.1.
minor() {
  local m=${1#v1.}
  printf '%s' "${m%%.*}"
}

check_name() {
  # It becomes a directory, a kind cluster and part of container names.
  [[ $1 =~ ^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$ ]] ||
    usage_error "\"$1\" is not a name: up to 40 lower-case letters, digits and dashes"
}

# wait_for SECONDS COMMAND…: until the command succeeds.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}

# lock FD DIRECTORY: locks DIRECTORY until FD is closed; prints a line if it has to wait. The lock is on the directory
# itself, so that no lock file is left, and the kernel releases it no matter how this run ends.
lock() {
  local fd=$1 dir=$2
  while :; do
    mkdir -p "$dir" || die "$dir cannot be created; free some space, or set XDG_CACHE_HOME to a directory of yours"
    eval "exec $fd<\"\$dir\"" 2>/dev/null || continue # removed in the meantime
    has flock || return 0 # macOS has none; concurrent runs then do the work twice, and the last one wins
    flock -n "$fd" || {
      say "waiting for another run that uses $dir"
      flock "$fd"
    }
    # The run that held it may have removed the directory in the meantime.
    if [[ /dev/fd/$fd -ef $dir ]]; then return 0; fi
  done
}

# enough_space DIRECTORY MEGABYTES WHAT: ends the run if the disk is too full, so that no build fails halfway.
enough_space() {
  local free
  free=$(df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }')
  ((free >= $2)) ||
    die "$3 needs about $2 MB in $1, which has $free MB left; free some space, or set XDG_CACHE_HOME to a larger disk"
}

# node_image VERSION: kind's image for a version of Kubernetes. Images exist for only a few patch versions, so the one for the default version is
# used only if the engine has it.
node_image() {
  local image=kindest/node:$1
  [[ $1 != "$KUBERNETES_VERSION" ]] || engine image inspect "$image" || image=$KIND_NODE_IMAGE
  printf '%s' "$image"
}

# kind_usable IMAGE: fails with the reason in WHY.
kind_usable() {
  WHY="kind is not installed"
  has kind || return 1
  WHY="no container engine answers"
  engine info || return 1
  WHY="the image $1 is neither here nor can it be pulled"
  engine image inspect "$1" || engine pull --quiet "$1"
}

# engine ARGUMENT…: runs the container engine that kind uses, without output.
engine() {
  local program=${KIND_EXPERIMENTAL_PROVIDER:-docker}
  has "$program" && "$program" "$@" >/dev/null 2>&1
}

# --- processes: a pid file holds a pid and its start time, so that another process with a reused pid is never killed ---

# started_at PID: its start time; fails if it is gone or a zombie.
started_at() {
  if [[ -d /proc/self ]]; then
    local line fields
    { line=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
    read -ra fields <<<"${line##*) }" # after the name, which may have spaces: the state first, the start time 20th
    [[ ${fields[0]} != [ZX] ]] && printf '%s' "${fields[19]}"
  else
    ps -o lstart= -p "$1"
  fi
}

# is_child PID: whether this run has started the process; the pid may have been reused since.
is_child() {
  if [[ -d /proc/self ]]; then
    local line fields
    { line=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
    read -ra fields <<<"${line##*) }"
    [[ ${fields[1]} == "$$" ]]
  else
    [[ $(ps -o ppid= -p "$1" | tr -d ' ') == "$$" ]]
  fi
}

# spawn PIDFILE LOG COMMAND…: starts the command in its own session, so that Ctrl-C in this terminal does not reach it.
spawn() {
  local pidfile=$1 log=$2 detached=()
  shift 2
  has setsid && detached=(setsid)
  "${detached[@]}" "$@" >"$log" 2>&1 </dev/null 8<&- 9<&- &
  disown # otherwise bash reports how it ended
  printf '%s %s\n' "$!" "$(started_at "$!")" >"$pidfile"
}

# running PIDFILE: succeeds and sets PID if the process is running.
running() {
  local start
  { read -r PID start <"$1"; } 2>/dev/null && [[ -n $start && $(started_at "$PID") == "$start" ]]
}

none_running() {
  local pidfile
  for pidfile; do not running "$pidfile" || return 1; done
}

# stop SECONDS PIDFILE…: ends all processes in parallel with TERM, and with KILL those that still run after SECONDS.
stop() {
  local seconds=$1
  shift
  signal TERM "$@"
  wait_for "$seconds" none_running "$@" || {
    signal KILL "$@"
    wait_for 5 none_running "$@" || true
  }
  rm -f "$@"
}

signal() {
  local name=$1 pidfile
  shift
  for pidfile; do
    if running "$pidfile"; then kill -s "$name" "$PID" 2>/dev/null || true; fi
  done
}
