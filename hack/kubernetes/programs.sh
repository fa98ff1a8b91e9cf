# shellcheck shell=bash disable=SC2034 # some variables are for the scripts that source this
# The programs of a Kubernetes control plane: from the cache, by download, or built from Go modules. To be sourced after
# common.sh. They stay in $CACHE/k8s/<version>/. Only programs that are asked for are fetched or built.

KUBERNETES_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKSUMS=$KUBERNETES_DIR/checksums # of downloads, by hack/pin-checksums
PROGRAMS=(etcd kube-apiserver kubectl kube-scheduler kube-controller-manager kubelet)
# Mirrors for machines that cannot reach these hosts.
KUBERNETES_URL=${FAKEGPU_KUBERNETES_URL:-https://dl.k8s.io/release}
ETCD_URL=${FAKEGPU_ETCD_URL:-https://github.com/etcd-io/etcd/releases/download}
TMP= # the directory that the work in progress fills; the caller's exit trap removes it with "discard_work"
WORK= # the pid of the work in progress, which leads a process group
STEP=0 STEPS=0 # the number of the step in progress, and of all steps
DETAIL= # a function that prints the progress of the current step

programs_dir() { printf '%s' "$CACHE/k8s/$1"; }

# missing_programs VERSION PROGRAM…: sets MISSING to the programs that are not in the cache; fails if there are none.
missing_programs() {
  local version=$1 program
  shift
  MISSING=()
  for program; do
    [[ -x $(programs_dir "$version")/$program ]] || MISSING+=("$program")
  done
  ((${#MISSING[@]}))
}

# add_programs COMMAND VERSION PROGRAM…: runs COMMAND VERSION PROGRAM… for the missing programs. COMMAND creates them in
# $TMP/bin and calls "keep" for each. Programs that another run has added in the meantime are not created again.
add_programs() {
  local command=$1 version=$2 result=0
  shift 2
  lock 9 "$CACHE/k8s"
  if missing_programs "$version" "$@"; then
    rm -rf "$CACHE"/k8s/.tmp.* # left by runs that were killed
    TMP=$(mktemp -d "$CACHE/k8s/.tmp.XXXXXX")
    mkdir "$TMP/bin"
    "$command" "$version" "${MISSING[@]}" || result=$?
    discard_work
  fi
  exec 9<&-
  return "$result"
}

# keep VERSION PROGRAM: moves a finished program from $TMP/bin to the cache, which never has partial programs.
keep() {
  local dir
  dir=$(programs_dir "$1")
  mkdir -p "$dir"
  chmod a+rx "$dir" "$TMP/bin/$2"
  mv -f "$TMP/bin/$2" "$dir/$2"
}

discard_work() {
  if [[ -n $WORK ]]; then
    kill -s TERM -- "-$WORK" 2>/dev/null || true
    wait "$WORK" 2>/dev/null || true
    WORK=
  fi
  if [[ -n $TMP ]]; then
    rm -rf "$TMP"
    TMP=
  fi
}

# progress LABEL COMMAND…: runs the command as the next step, with its output in $TMP/log. Meanwhile, a terminal shows the
# seconds and what $DETAIL prints.
progress() {
  local label start=$SECONDS result=0
  STEP=$((STEP + 1))
  label="[$STEP/$STEPS] $1"
  shift
  set -m # a separate process group, which discard_work can end as a whole
  "$@" >"$TMP/log" 2>&1 </dev/null 8<&- 9<&- &
  WORK=$!
  set +m
  [[ -t 1 ]] || printf '  %s …\n' "$label"
  while kill -0 "$WORK" 2>/dev/null; do
    if [[ -t 1 ]]; then printf '\r  %s: %d s%s\e[K' "$label" $((SECONDS - start)) "${DETAIL:+$($DETAIL)}"; fi
    sleep 0.5
  done
  wait "$WORK" || result=$?
  WORK=
  if [[ -t 1 ]]; then printf '\r  %s: ' "$label"; else printf '  [%s/%s] ' "$STEP" "$STEPS"; fi
  if ((result == 0)); then printf 'done in %d s' $((SECONDS - start)); else printf 'failed'; fi
  if [[ -t 1 ]]; then printf '\e[K'; fi
  printf '\n'
  return "$result"
}

# join WORD…: "a, b and c".
join() {
  local text=$1
  shift
  while (($# > 1)); do
    text+=", $1"
    shift
  done
  printf '%s' "$text${1:+ and $1}"
}

# --- by download ------------------------------------------------------------------------------------------------------

# download_programs VERSION PROGRAM…: returns 1 if they cannot be downloaded, with the reason in WHY.
download_programs() {
  local version=$1 platform program megabytes=0
  shift
  WHY="there are no official ones for $(uname -sm)"
  platform=$(release_platform) || return 1
  WHY="curl is not installed"
  has curl || return 1
  WHY="openssl, which checks them, is not installed"
  has openssl || return 1
  WHY="${KUBERNETES_URL#*://} does not have Kubernetes $version, or cannot be reached"
  fetch "$KUBERNETES_URL/$version/bin/$platform/kubectl.sha256" "$TMP/sha256" 2>/dev/null || return 1
  for program; do megabytes=$((megabytes + $(size_of "$program"))); done
  enough_space "$CACHE/k8s" $((megabytes + 100)) "Downloading Kubernetes"
  say "Downloading $(join "$@") of Kubernetes $version, about $megabytes MB; this happens once."
  STEP=0 STEPS=$#
  for program; do
    if [[ $program == etcd ]]; then
      download_etcd "$platform" || return 1
    else
      download_program "$KUBERNETES_URL/$version/bin/$platform" "$program" "$version/$platform/$program" || return 1
    fi
    keep "$version" "$program"
  done
}

size_of() { # PROGRAM, in MB; those of v1.37 on linux/amd64
  case $1 in
    etcd) printf 25 ;;
    kubectl) printf 62 ;;
    kube-scheduler) printf 81 ;;
    kubelet) printf 92 ;;
    kube-controller-manager) printf 105 ;;
    *) printf 119 ;;
  esac
}

release_platform() {
  [[ $(uname -s) == Linux ]] || return 1 # servers are released only for Linux
  case $(uname -m) in
    x86_64) printf 'linux/amd64' ;;
    aarch64 | arm64) printf 'linux/arm64' ;;
    ppc64le | s390x) printf 'linux/%s' "$(uname -m)" ;;
    *) return 1 ;;
  esac
}

# Gives up quickly on a machine that is offline, because there is another way to get the programs. Follows redirects only to
# HTTPS, even from a mirror that uses HTTP.
fetch() { # URL FILE
  curl --proto "=${1%%:*}" --proto-redir '=https' --fail --silent --show-error --location --connect-timeout 5 --retry 2 --speed-limit 1000 --speed-time 30 \
    --output "$2" "$1"
}

download_program() { # URL NAME KEY
  WHY="the download of $2 broke off; run this again"
  progress "$2, about $(size_of "$2") MB" fetch "$1/$2" "$TMP/bin/$2" || return 1
  verify "$TMP/bin/$2" "$3" "$1/$2.sha256" || return 1
}

# A newer etcd works with every API server; "build" also uses this version.
etcd_version() { awk '$1 == "go.etcd.io/etcd/server/v3" { print $2 }' "$KUBERNETES_DIR/go.mod"; }

download_etcd() { # PLATFORM
  local version name
  version=$(etcd_version)
  name=etcd-$version-${1/\//-}
  WHY="the download of etcd $version from ${ETCD_URL#*://} failed"
  progress "etcd $version, about $(size_of etcd) MB" fetch "$ETCD_URL/$version/$name.tar.gz" "$TMP/$name.tar.gz" || return 1
  verify "$TMP/$name.tar.gz" "$name.tar.gz" "$ETCD_URL/$version/SHA256SUMS" || return 1
  tar -xzf "$TMP/$name.tar.gz" -C "$TMP" "$name/etcd" && mv "$TMP/$name/etcd" "$TMP/bin/etcd"
}

# verify FILE KEY URL: compares the file with the checksum that is pinned for KEY or, without one, published at URL.
verify() {
  local sum expected
  sum=$(openssl dgst -sha256 -r "$1")
  expected=$(awk -v key="$2" '$2 == key { print $1 }' "$CHECKSUMS")
  if [[ -z $expected ]]; then
    fetch "$3" "$TMP/sha256" 2>/dev/null || return 1
    # The file has a single checksum without a name, or a list.
    expected=$(awk -v file="${2##*/}" 'NF == 1 || $2 == file { print $1 }' "$TMP/sha256")
    say "  $2: its checksum is not pinned in hack/kubernetes/checksums, so the published one is used"
  fi
  [[ ${sum%% *} == "$expected" ]] && return
  # Falling back to another provider would hide this.
  die "${1##*/} was downloaded, but its checksum is not the pinned or published one; run this again, or use --provider build"
}

# --- by a build -------------------------------------------------------------------------------------------------------

# build_programs VERSION PROGRAM…: returns 1 if they cannot be built, with the reason in WHY.
build_programs() {
  local version=$1 program seconds=60
  shift
  WHY="the go command is not installed; install Go $(go_needed "$KUBERNETES_DIR") or newer from https://go.dev/dl"
  has go || return 1
  export GOFLAGS=-buildvcs=false GOWORK=off GOTMPDIR=$TMP/go CGO_ENABLED=0 # regardless of the caller's environment
  mkdir -p "$TMP/go"
  STEP=0 STEPS=2
  find_module "$version" || return 1
  go_new_enough "$MODULE" || return 1
  enough_space "$CACHE/k8s" 1500 "Building Kubernetes"
  for program; do seconds=$((seconds + $(build_seconds "$program"))); done
  seconds=$((seconds / $(processors)))
  say "Building $(join "$@") of Kubernetes $version from Go modules; this happens once."
  progress "Go modules, about 1 min" list_packages "$@" || { build_failed "$version"; return 1; }
  DETAIL=packages_built
  progress "Go build, about $((1 + seconds / 60)) min" go_build "$version" "$@" || { build_failed "$version"; return 1; }
  DETAIL=
  for program; do keep "$version" "$program"; done
}

packages_built() {
  printf ', %d of %d packages' "$(grep -c '^[^ #]*$' "$TMP/log" 2>/dev/null)" "$(wc -l <"$TMP/packages")"
}

processors() { getconf _NPROCESSORS_ONLN 2>/dev/null || printf 2; }

# build_seconds PROGRAM: processor time if the programs before it in $PROGRAMS are also built.
build_seconds() {
  case $1 in
    kube-apiserver) printf 400 ;;
    etcd | kubelet) printf 60 ;;
    *) printf 40 ;;
  esac
}

build_failed() { # VERSION
  tail -n 5 "$TMP/log" >&2
  WHY="Kubernetes $1 could not be built from its Go modules: $(go_error "$TMP/log")"
}

# go_error FILE: why a go command failed, in one line.
go_error() {
  if grep -q 'no space left on device' "$1"; then
    printf 'the disk is full; free about 4 GB where "go env GOCACHE GOMODCACHE" points'
  else
    tail -n 1 "$1" | sed 's/\\n.*//' # the module proxy may add more
  fi
}

go_needed() { awk '$1 == "go" { print $2 }' "$1/go.mod"; }

# With GOTOOLCHAIN=auto, an older go command downloads a newer one, so the command itself is asked.
go_new_enough() { # MODULE
  (cd "$1" && go version) >/dev/null 2>&1 && return
  WHY="$(cd / && go env GOVERSION) is too old: this needs Go $(go_needed "$1") or newer from https://go.dev/dl"
  return 1
}

in_module() { (cd "$MODULE" && "$@"); }

package_of() { # PROGRAM
  if [[ $1 == etcd ]]; then printf go.etcd.io/etcd/server/v3; else printf 'k8s.io/kubernetes/cmd/%s' "$1"; fi
}

# Downloads the modules that these programs need, and no others.
list_packages() { # PROGRAM…
  local program packages=()
  for program; do packages+=("$(package_of "$program")"); done
  in_module go list -deps "${packages[@]}" >"$TMP/packages"
}

# A single go command for all programs links one while it compiles packages of another. The compiler and the linker
# collect garbage less often, and omit debug information, which would be stripped anyway.
go_build() { # VERSION PROGRAM…
  local version=$1 flags="-s -w" p packages=()
  shift
  for p; do packages+=("$(package_of "$p")"); done
  # A server without its version would report v0.0.0, and clients would treat it as a very old one.
  for p in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $p.gitVersion=$version -X $p.gitMajor=1 -X $p.gitMinor=$(minor "$version") -X $p.gitTreeState=clean"
  done
  in_module env GOGC=400 go build -v -trimpath -gcflags=all=-dwarf=false -ldflags "$flags" -o "$TMP/bin/" "${packages[@]}"
  [[ ! -f $TMP/bin/server ]] || mv "$TMP/bin/server" "$TMP/bin/etcd"
}

# find_module VERSION: sets MODULE to the directory of a module in which the programs can be built. For the project's
# own version it is checked in, with all checksums; for other versions it is made here, once.
find_module() {
  MODULE=$KUBERNETES_DIR
  [[ $1 != "$(awk '$1 == "k8s.io/kubernetes" { print $2 }' "$MODULE/go.mod")" ]] || return 0
  MODULE=$CACHE/modules/$1
  [[ ! -f $MODULE/go.sum ]] || return 0
  STEPS=$((STEPS + 1))
  progress "go.mod for Kubernetes $1, about 1 min" make_module "$1" "$MODULE" || {
    WHY="there are no Go modules of Kubernetes $1: $(go_error "$TMP/log")"
    return 1
  }
}

# The go.mod of k8s.io/kubernetes replaces its libraries with directories of its own tree; a module that requires it has
# to replace them with their releases.
make_module() { # VERSION DIRECTORY
  local upstream
  mkdir -p "$TMP/module" "${2%/*}"
  cd "$TMP/module" || return
  upstream=$(go mod download -json "k8s.io/kubernetes@$1" | sed -n 's/.*"\(GoMod\|Error\)": "\(.*\)".*/\2/p')
  [[ -f $upstream ]] || { printf '%s\n' "$upstream"; return 1; }
  awk -v version="$1" '
    BEGIN { library = version; sub(/^v1/, "v0", library); print "module fakegpu.dev/hack/kubernetes\n" }
    $1 == "go" { print "go " $2 "\n\nrequire k8s.io/kubernetes " version }
    $1 == "go.etcd.io/etcd/server/v3" { print "require " $1, $2 }
    $2 == "=>" && $3 ~ /^\.\/staging\// { print "replace " $1 " => " $1, library }' "$upstream" >go.mod
  cp "$KUBERNETES_DIR/tools.go" .
  go mod tidy || return 1
  rm -rf "$2"
  mv "$TMP/module" "$2"
}
