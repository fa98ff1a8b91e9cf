# Runs a program until it ends or standard input is closed, which happens when the process that started this ends for any reason.
# tether.sh SECONDS DIRECTORY COMMAND…: asks the program to end, and kills it after SECONDS (0: immediately). Then removes
# DIRECTORY, unless that is empty.
seconds=$1 directory=$2
shift 2
exec 3<&0 # otherwise, the input of background processes is /dev/null
"$@" </dev/null 3<&- &
program=$!
trap '' INT # from a terminal, which also sends it to the process that started this
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
# Repeats until the program has ended, since a signal also ends "wait".
while kill -0 "$program" 2>/dev/null; do
  wait "$program"
  result=$?
done
kill "$watch" 2>/dev/null
[ -z "$directory" ] || rm -rf "$directory"
exit "$result"
