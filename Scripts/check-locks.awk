# Reads the output of `strace -f -y -e trace=fcntl,openat`. Fails if a forbidden lock was granted, if code other than
# SQLite opened the database or its -shm, or if there are too few locks for a verdict. Used by check-locks.

# A call is on two lines if another thread made a call before its end. The lines are joined when the call returns.
/<unfinished \.\.\.>$/ {
  sub(/ *<unfinished \.\.\.>$/, "")
  begun[$1] = $0
  # A lock counts as free from the beginning of the call that releases it.
  if ($0 ~ /F_UNLCK/) release($1, $0)
  next
}
/<\.\.\. (fcntl|openat) resumed>/ {
  line = $0
  sub(/^.*resumed>/, "", line)
  $0 = begun[$1] line
}

# The WAL itself is not checked: no lock is ever acquired on it.
/openat\(/ && /\.sqlite(-shm)?"/ {
  opened++
  if ($0 !~ /O_NOFOLLOW/ && $0 !~ / = -1 /) complain("opened by hand: " $0)
}

/fcntl\(/ && /-shm>/ && / = 0$/ {
  if ($0 ~ /F_UNLCK/) release($1, $0)
  else if ($0 ~ /F_WRLCK/) grant($1, $0)
}

END {
  if (!faults && (checkpoints < 100 || writes < 100 || beside < 10 || restarts < 5)) {
    complain("too few locks for a verdict:")
  }
  printf "check-locks: %d checkpoint locks, %d write locks, ", checkpoints, writes
  printf "%d of them during a checkpoint, ", beside
  printf "%d restarts of the WAL, %d files opened, %d faults\n", restarts, opened, faults
  exit faults > 0
}

function number(text, name) {
  return match(text, name "=[0-9]+") ? substr(text, RSTART + length(name) + 1, RLENGTH - length(name) - 1) + 0 : -1
}

function covers(text, byte,   start, length_) {
  start = number(text, "l_start")
  length_ = number(text, "l_len")
  return start <= byte && byte < start + length_
}

function grant(thread, text) {
  if (covers(text, 121)) {
    checkpoints++
    checkpointer = thread
  }
  if (covers(text, 120)) {
    writes++
    if (checkpointer != "" && checkpointer != thread) beside++
  }
  # All four marks together are locked to restart the WAL. A reader locks a single mark to set it.
  if (covers(text, 124) && covers(text, 127)) {
    restarts++
    if (checkpointer != "" && checkpointer != thread) {
      complain("thread " thread " restarted the WAL while " checkpointer " held the checkpoint lock: " text)
    }
  }
}

function release(thread, text) {
  if (covers(text, 121) && checkpointer == thread) checkpointer = ""
}

function complain(text) {
  print "check-locks: " text > "/dev/stderr"
  faults++
}
