extension MistakeCorpus {
  /// In an event of a phase.
  static let events = Mistake.parse(
    #"""
    25:     for: 2s
    |     events: []
    > 26:13: error: expected a list with an event in each entry, found an empty one
    25:     for: 2s
    |     events: vacuum
    > 26:13: error: expected a list with an event in each entry, found "vacuum"
    25:     for: 2s
    |     events: [vacuum]
    > 26:14: error: expected an event, written as a mapping such as {at: 5s, do: vacuum}, found "vacuum"
    25:     for: 2s
    |     events: [{do: vacuum}]
    > 26:14: error: an event needs "at": a time such as 5s, commits(50) or checkpoints(3)
    25:     for: 2s
    |     events: [{at: 1s}]
    > 26:14: error: an event needs "do": an event such as checkpoint(truncate), vacuum, advance(ACTOR) or \#
    stall(ACTOR 20s)
    25:     for: 2s
    |     events: [{at: 1s, does: vacuum, do: vacuum}]
    > 26:23: error: unknown key "does" in an event; expected one of at, do
    25:     for: 2s
    |     events: [{at: 1, do: vacuum}]
    > 26:19: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "1"; a bare number has no unit: write \#
    one of 1us, 1ms, 1s, 1m, 1h
    25:     for: 2s
    |     events: [{at: 2s, do: vacuum}]
    > 26:19: error: an event at 2s never begins, because the phase ends after 2s; expected an earlier time, or a \#
    longer phase
    25:     for: 2s
    |     events: [{at: commits(0), do: vacuum}]
    > 26:19: error: expected more than 0, found "0"
    25:     for: 2s
    |     events: [{at: commit(5), do: vacuum}]
    > 26:19: error: expected a time such as 5s, commits(50) or checkpoints(3), found "commit(5)"; "commit" is \#
    unknown, did you mean "commits"?
    25:     for: 2s
    |     events: [{at: checkpoints, do: vacuum}]
    > 26:19: error: expected checkpoints(COUNT) such as checkpoints(3), found "checkpoints"; "checkpoints" takes \#
    one argument
    25:     until: wal.backlogFrames == 0
    |     within: 2s
    |     events: [{at: 1m, do: vacuum}]
    > 27:19: error: an event at 1m never begins, because the phase ends after 2s; expected an earlier time, or a \#
    longer phase
    25:     for: 2s
    |     events: [{at: 1s, do: vacum}]
    > 26:27: error: expected an event such as checkpoint(truncate), vacuum, advance(ACTOR) or stall(ACTOR 20s), found \#
    "vacum"; did you mean "vacuum"?
    25:     for: 2s
    |     events: [{at: 1s, do: chekpoint(full)}]
    > 26:27: error: expected an event such as checkpoint(truncate), vacuum, advance(ACTOR) or stall(ACTOR 20s), found \#
    "chekpoint(full)"; "chekpoint" is unknown, did you mean "checkpoint"?
    25:     for: 2s
    |     events: [{at: 1s, do: checkpoint}]
    > 26:27: error: expected checkpoint(MODE) such as checkpoint(truncate), found "checkpoint"; "checkpoint" takes \#
    one argument
    25:     for: 2s
    |     events: [{at: 1s, do: checkpoint(trunkate)}]
    > 26:27: error: expected a checkpoint mode: passive, full, restart, truncate, found "trunkate"; did you mean \#
    "truncate"?
    25:     for: 2s
    |     events: [{at: 1s, do: vacuum(all)}]
    > 26:27: error: expected vacuum, found "vacuum(all)"; "vacuum" takes no argument
    25:     for: 2s
    |     events: [{at: 1s, do: stall(read)}]
    > 26:27: error: expected stall(ACTOR DURATION) such as stall(scroll 20s), found "stall(read)"; "stall" takes 2 \#
    arguments
    25:     for: 2s
    |     events: [{at: 1s, do: stall(read 0s)}]
    > 26:27: error: expected more than 0, found "0s"
    25:     for: 2s
    |     events: [{at: 1s, do: stall(reed 1s)}]
    > 26:27: error: no actor "reed" acts in the phase; did you mean "read"?
    25:     for: 2s
    |     events: [{at: 1s, do: advance(read)}]
    > 26:27: error: the actor "read" has no long-lived snapshot to move; give it "snapshot: \#
    {longLived: never}"
    25:     for: 2s
    |     events: [{at: 1s, do: register(newest)}]
    > 26:27: error: there is no view "newest" under "views"; none is defined
    25:     for: 2s
    |     events: [{at: 1s, do: register}]
    > 26:27: error: expected register(VIEW) such as register(newest), found "register"; "register" takes one argument
    29:   - "run recovery.duration.max < 5s"
    > 29:5: error: unreachable expectation: the engine is not reopened in the phase "run"; give it the event \#
    "kill" or "reopen"
    25:     for: 2s
    |     events: [{at: 1s, do: kill(9)}]
    > 26:27: error: expected kill, found "kill(9)"; "kill" takes no argument
    29:   - "run/events.vacuum service.max < 5s"
    > 29:5: error: unreachable expectation: the phase "run" has no "events"
    """#
  )
}
