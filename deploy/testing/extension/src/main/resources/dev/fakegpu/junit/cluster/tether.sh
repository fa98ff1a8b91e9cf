# Runs a program until it ends, or until standard input does, which is when whoever started this is gone, however that happened.
# tether.sh SECONDS DIRECTORY COMMAND…: first asks the program to end, and kills it after SECONDS (0: at once). Then removes
# DIRECTORY, unless it is empty.
seconds=$1 directory=$2
shift 2
exec 3<&0 # the input of what runs in the background is /dev/null otherwise
"$@" </dev/null 3<&- &
program=$!
trap '' INT # of a terminal: whoever started this gets it, too
trap 'kill -KILL "$program" 2>/dev/null' TERM HUP
{
  cat <&3 >/dev/null 2>&1
  if [ "$seconds" -gt 0 ]; then
    kill -TERM "$program"
    while [ "$seconds" -gt 0 ] && kill -0 "$program"; do
      sleep 1
      seconds=$((seconds - 1))
    done
  fi
  kill -KILL "$program"
} 2>/dev/null &
watch=$!
exec 3<&-
wait "$program"
result=$?
# Until the program has ended: a signal ends "wait", too.
while kill -0 "$program" 2>/dev/null; do
  wait "$program"
  result=$?
done
kill "$watch" 2>/dev/null
[ -z "$directory" ] || rm -rf "$directory"
exit "$result"
