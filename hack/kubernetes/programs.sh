# shellcheck shell=bash disable=SC2034 # some variables are for the scripts that source this
# The programs of a Kubernetes control plane: from the cache, by download, or built from Go modules. To be sourced after
# common.sh. They are kept, for good, in $CACHE/k8s/<version>/.

KUBERNETES_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PROGRAMS=(etcd kube-apiserver kubectl kube-scheduler kube-controller-manager kubelet)
# Mirrors for machines that reach these hosts under another name.
KUBERNETES_URL=${FAKEGPU_KUBERNETES_URL:-https://dl.k8s.io/release}
ETCD_URL=${FAKEGPU_ETCD_URL:-https://github.com/etcd-io/etcd/releases/download}
TMP= # the directory that the work in progress fills; the caller's exit trap removes it with "discard_work"
WORK= # the pid of the work in progress, which leads a process group

programs_dir() { printf '%s' "$CACHE/k8s/$1"; }

programs_cached() { # VERSION
  local program
  for program in "${PROGRAMS[@]}"; do
    [[ -x $(programs_dir "$1")/$program ]] || return 1
  done
}

# with_new_programs VERSION COMMAND…: runs it to fill $TMP, and puts what it made into the cache as a whole, so that
# nobody ever sees half of it. Does nothing if another run has done the same meanwhile.
with_new_programs() {
  local version=$1 dir result=0
  shift
  lock 9 "$CACHE/k8s"
  if not programs_cached "$version"; then
    rm -rf "$CACHE"/k8s/.tmp.* # of runs that were killed
    TMP=$(mktemp -d "$CACHE/k8s/.tmp.XXXXXX")
    "$@" || result=$?
    if ((result == 0)); then
      dir=$(programs_dir "$version")
      rm -rf "$dir"
      chmod -R a+rX "$TMP/bin"
      mv "$TMP/bin" "$dir"
    fi
    discard_work
  fi
  exec 9<&-
  return "$result"
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

# progress LABEL COMMAND…: runs it with its output in $TMP/log, and shows the seconds while it runs.
progress() {
  local label=$1 start=$SECONDS result=0
  shift
  set -m # a process group of its own, which discard_work can end as a whole
  "$@" >"$TMP/log" 2>&1 </dev/null 8<&- 9<&- &
  WORK=$!
  set +m
  [[ -t 1 ]] || printf '  %-28s' "$label"
  while kill -0 "$WORK" 2>/dev/null; do
    if [[ -t 1 ]]; then printf '\r  %-28s %4d s' "$label" $((SECONDS - start)); fi
    sleep 0.5
  done
  wait "$WORK" || result=$?
  WORK=
  if [[ -t 1 ]]; then printf '\r  %-28s' "$label"; fi
  if ((result == 0)); then printf ' %4d s\n' $((SECONDS - start)); else printf ' failed\n'; fi
  return "$result"
}

# --- by download ------------------------------------------------------------------------------------------------------

# download_programs VERSION: 1 if they cannot be had that way, with the reason in WHY.
download_programs() {
  local version=$1 platform program
  WHY="there are no official ones for $(uname -sm)"
  platform=$(release_platform) || return 1
  WHY="curl is not installed"
  has curl || return 1
  WHY="openssl, which checks them, is not installed"
  has openssl || return 1
  WHY="${KUBERNETES_URL#*://} does not have Kubernetes $version, or cannot be reached"
  fetch "$KUBERNETES_URL/$version/bin/$platform/kubectl.sha256" "$TMP/sha256" 2>/dev/null || return 1
  enough_space "$CACHE/k8s" 700 "Downloading Kubernetes"
  say "Downloading the programs of Kubernetes $version, about 500 MB; this happens once."
  mkdir -p "$TMP/bin"
  download_etcd "$platform" || return 1
  for program in "${PROGRAMS[@]}"; do
    [[ $program == etcd ]] || download_program "$KUBERNETES_URL/$version/bin/$platform" "$program" || return 1
  done
}

release_platform() {
  [[ $(uname -s) == Linux ]] || return 1 # servers are released for Linux only
  case $(uname -m) in
    x86_64) printf 'linux/amd64' ;;
    aarch64 | arm64) printf 'linux/arm64' ;;
    ppc64le | s390x) printf 'linux/%s' "$(uname -m)" ;;
    *) return 1 ;;
  esac
}

# A machine that is offline must not wait for long: there is another way to get the programs.
fetch() { # URL FILE
  curl --fail --silent --show-error --location --connect-timeout 5 --retry 2 --speed-limit 1000 --speed-time 30 \
    --output "$2" "$1"
}

download_program() { # URL NAME
  WHY="the download of $2 broke off; run this again"
  progress "$2" fetch "$1/$2" "$TMP/bin/$2" || return 1
  fetch "$1/$2.sha256" "$TMP/sha256" 2>/dev/null || return 1
  verify "$TMP/bin/$2" "$(cut -c1-64 "$TMP/sha256")" || return 1
  chmod 755 "$TMP/bin/$2"
}

download_etcd() { # PLATFORM
  local version name
  # A newer etcd serves every API server; this one is what the programs are built with as well.
  version=$(awk '$1 == "go.etcd.io/etcd/server/v3" { print $2 }' "$KUBERNETES_DIR/go.mod")
  name=etcd-$version-${1/\//-}
  WHY="the download of etcd $version from ${ETCD_URL#*://} failed"
  progress "etcd $version" fetch "$ETCD_URL/$version/$name.tar.gz" "$TMP/$name.tar.gz" || return 1
  fetch "$ETCD_URL/$version/SHA256SUMS" "$TMP/sums" 2>/dev/null || return 1
  verify "$TMP/$name.tar.gz" "$(awk -v f="$name.tar.gz" '$2 == f { print $1 }' "$TMP/sums")" || return 1
  tar -xzf "$TMP/$name.tar.gz" -C "$TMP" "$name/etcd" && mv "$TMP/$name/etcd" "$TMP/bin/etcd"
}

verify() { # FILE SHA256
  local sum
  sum=$(openssl dgst -sha256 -r "$1")
  [[ ${sum%% *} == "$2" ]] && return
  # Not a reason to take the programs from elsewhere in silence.
  die "${1##*/} was downloaded, but its checksum is not the published one; run this again, or use --provider build"
}

# --- by a build -------------------------------------------------------------------------------------------------------

# build_programs VERSION: 1 if they cannot be had that way, with the reason in WHY.
build_programs() {
  local version=$1 program
  WHY="the go command is not installed; install Go $(go_needed "$KUBERNETES_DIR") or newer from https://go.dev/dl"
  has go || return 1
  export GOFLAGS=-buildvcs=false GOWORK=off GOTMPDIR=$TMP/go CGO_ENABLED=0 # whatever the caller is set up for
  mkdir -p "$TMP/bin" "$TMP/go"
  find_module "$version" || return 1
  go_new_enough "$MODULE" || return 1
  enough_space "$CACHE/k8s" 1500 "Building Kubernetes"
  say "Building Kubernetes $version from its Go modules. This happens once, and takes about 6 minutes on 2 cores."
  progress "modules" in_module go mod download || { build_failed "$version"; return 1; }
  for program in "${PROGRAMS[@]}"; do
    progress "$program" build_program "$version" "$program" || { build_failed "$version"; return 1; }
  done
}

build_failed() { # VERSION
  tail -n 5 "$TMP/log" >&2
  WHY="Kubernetes $1 could not be built from its Go modules: $(go_error "$TMP/log")"
}

# go_error FILE: why a go command failed, in one line.
go_error() {
  if grep -q 'no space left on device' "$1"; then
    printf 'the disk is full; free about 6 GB where "go env GOCACHE GOMODCACHE" points'
  else
    tail -n 1 "$1" | sed 's/\\n.*//' # the module proxy may have more to say
  fi
}

go_needed() { awk '$1 == "go" { print $2 }' "$1/go.mod"; }

# With GOTOOLCHAIN=auto an older go command gets the newer one by itself, so only Go can tell.
go_new_enough() { # MODULE
  (cd "$1" && go version) >/dev/null 2>&1 && return
  WHY="$(cd / && go env GOVERSION) is too old: this needs Go $(go_needed "$1") or newer from https://go.dev/dl"
  return 1
}

in_module() { (cd "$MODULE" && "$@"); }

build_program() { # VERSION NAME
  local package=k8s.io/kubernetes/cmd/$2 flags="-s -w" p
  [[ $2 == etcd ]] && package=go.etcd.io/etcd/server/v3
  # Without its version a server says v0.0.0, and clients take it for a very old one.
  for p in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $p.gitVersion=$1 -X $p.gitMajor=1 -X $p.gitMinor=$(minor "$1") -X $p.gitTreeState=clean"
  done
  in_module go build -trimpath -ldflags "$flags" -o "$TMP/bin/$2" "$package"
}

# find_module VERSION: sets MODULE to the directory of a module in which the programs can be built. For the project's
# own version it is checked in, with the checksums of everything; for others it is made here, once.
find_module() {
  MODULE=$KUBERNETES_DIR
  [[ $1 != "$(awk '$1 == "k8s.io/kubernetes" { print $2 }' "$MODULE/go.mod")" ]] || return 0
  MODULE=$CACHE/modules/$1
  [[ -f $MODULE/go.sum ]] || progress "go.mod for $1" make_module "$1" "$MODULE" || {
    WHY="there are no Go modules of Kubernetes $1: $(go_error "$TMP/log")"
    return 1
  }
}

# k8s.io/kubernetes takes its libraries from its own tree, which a module that requires it has to make up for.
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
