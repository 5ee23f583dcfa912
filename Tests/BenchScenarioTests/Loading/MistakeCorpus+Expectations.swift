extension MistakeCorpus {
  /// In an expectation.
  static let expectations = Mistake.parse(
    #"""
    29:   - "run response.p99 < 50"
    > 29:5: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "50"; a bare number has no unit: \#
    write one of 50us, 50ms, 50s, 50m, 50h
    29:   - "runs response.p99 < 50ms"
    > 29:5: error: unreachable expectation: there is no phase "runs"; did you mean "run"?
    29:   - "run/reed response.p99 < 50ms"
    > 29:5: error: unreachable expectation: no actor "reed" acts in the phase "run"; did you mean "read"?
    29:   - "run/read.set response.p99 < 50ms"
    > 29:5: error: unreachable expectation: the actor "read" has no operation "set" in the phase "run"; did you \#
    mean "get"?
    29:   - "run/read wait.p99 < 50ms"
    > 29:5: error: unreachable expectation: a closed load has no "wait"; write "service", or give a rate
    29:   - "run/read wal.bytes.max < 5MiB"
    > 29:5: error: "wal.bytes" is a metric of a whole phase; write run wal.bytes.max
    29:   - "run wal.bytes < 5MiB"
    > 29:5: error: "wal.bytes" needs an aggregate; write for instance wal.bytes.max
    29:   - "run wal.byte.max < 5MiB"
    > 29:5: error: there is no metric "wal.byte.max"; did you mean "wal.bytes"?
    29:   - "run/read rows > 5/s"
    > 29:5: error: there is no metric "rows"; did you mean "operations"?
    29:   - "run/read endRate > 5/s"
    > 29:5: error: there is no metric "endRate"; did you mean "load.endRate"?
    29:   - "run/read load.endRate > 5/s"
    > 29:5: error: unreachable expectation: no rate there changes; give an actor a "ramp" or "stages"
    29:   - "run/read.get load.endRate > 5/s"
    > 29:5: error: unreachable expectation: a load has the rate, and not an operation; leave out the operation
    29:   - "abort run load.endRate > 5/s"
    > 29:5: error: unreachable expectation: the rate at the end is known only after the phase; leave out "abort"
    29:   - "run duration.max < 5s"
    > 29:5: error: "duration" is one number and has no aggregate; write duration
    29:   - "run response.p98 < 5ms"
    > 29:5: error: "response" has no aggregate "p98"; did you mean "p90"?
    29:   - "abort run harness.overhead < 5us"
    > 29:5: error: unreachable expectation: the harness measures itself after the run; leave out "abort"
    29:   - "run/read checkpoint.wait.max < 5ms"
    > 29:5: error: "checkpoint.wait" is a metric of a whole phase; write run checkpoint.wait.max
    29:   - "run checkpoint.count.max < 5"
    > 29:5: error: "checkpoint.count" is one number and has no aggregate; write checkpoint.count
    29:   - "run/read notification.lag.max > 5ms"
    > 29:5: error: "notification.lag" is a metric of a whole phase; write run notification.lag.max
    29:   - "run pin.connection == read"
    > 29:5: error: "pin.connection" is a name, which cannot be compared; it is in pins.csv, and pin.bytes is the \#
    part of the WAL that it keeps
    29:   - "run/read memory.allocationsPerOperation.mean < 5"
    > 29:5: error: "memory.allocationsPerOperation" is one number and has no aggregate; write \#
    memory.allocationsPerOperation
    29:   - "run/read.get memory.allocationsPerOperation < 5"
    > 29:5: error: unreachable expectation: allocations are counted per thread, not per operation; leave out the \#
    operation
    29:   - "abort run memory.allocationsPerOperation < 5"
    > 29:5: error: unreachable expectation: allocations are known only after the phase; leave out "abort"
    29:   - "run cache.object.hits > 5"
    > 29:5: error: "cache.object.hits" needs an aggregate; write for instance cache.object.hits.sum
    29:   - "run/write.set cache.object.hits.sum > 5"
    > 29:5: error: unreachable expectation: cache counts are those of a connection, not of an operation; leave out \#
    the operation
    29:   - "run harness.dropped.sum == 0"
    > 29:5: error: "harness.dropped" is one number and has no aggregate; write harness.dropped
    29:   - "run checkpoint.count < 5%"
    > 29:5: error: "checkpoint.count" has no share in per cent; only a part of a whole has one, \#
    such as "cache.object.hits" or "harness.dropped"
    29:   - "run harness.dropped < 101%"
    > 29:5: error: expected a share such as 20%, at most 100%, found "101%"
    29:   - "run harness.dropped == 0"
    > 29:5: error: unreachable expectation: arrivals are dropped only with a "deadline"; give the actor one
    29:   - "run response.p99 =< 5ms"
    > 29:5: error: expected one of < <= > >= ==, found "=<"
    29:   - "run response.p99<5ms"
    > 29:5: error: expected an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as \#
    "run/import response.p99 < 50ms", found "run response.p99<5ms"; write a space before and after "<"
    29:   - "run pin.seconds.max < 5s"
    > 29:5: error: expected a number without a unit such as 0.99, found "5s"
    30: invariants: knownAnswers
    > 30:13: error: expected a list of knownAnswers, snapshotStability, monotonicSnapshots, \#
    atomicCommits, conservation, exactlyOnceNotifications, cacheCoherence, noAliasing, found "knownAnswers"
    25:     for: 2s
    |     record: false
    > 30:5: error: unreachable expectation: the phase "run" is not recorded; leave out "record: false"
    29:   - "run/write.advance service.p99 < 5ms"
    > 29:5: error: unreachable expectation: the actor "write" has no operation "advance" in the phase "run"; \#
    expected one of set
    29:   - {run: 5}
    > 29:5: error: expected an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as \#
    "run/import response.p99 < 50ms", found a mapping
    29:   - "run deadlocks.sum > 0"
    > 29:5: error: unreachable expectation: there are no nested transactions there; name an actor with \#
    "nestedRead(CONNECTION)"
    29:   - "run/read.get deadlocks.sum > 0"
    > 29:5: error: unreachable expectation: there are no nested transactions there; name an actor with \#
    "nestedRead(CONNECTION)"
    """#
  )

  /// In an expectation that compares figures, or names a variant.
  static let comparedFigures = Mistake.parse(
    #"""
    29:   - "[copy] run response.p99 < 50ms"
    > 29:5: error: there is no variant "copy"; the scenario has no "matrix"
    29:   - "run response.p99 < 2 * runs response.p99"
    > 29:5: error: unreachable expectation: there is no phase "runs"; did you mean "run"?
    29:   - "run response.p99 < 2 * run throughput.mean"
    > 29:5: error: "response" is a duration and "throughput" is a rate; compare figures of one kind
    29:   - "run response.p99 < 0 * run response.p50"
    > 29:5: error: expected a factor of more than 0, found "0"
    29:   - "run response.p99 < run response"
    > 29:5: error: "response" needs an aggregate; write for instance response.p99
    29:   - "abort run response.p99 < 2 * run response.p50"
    > 29:5: error: "abort" compares with a value; leave out "abort", or compare with a value
    29:   - "run response.p99 < 20 * machine.synk"
    > 29:5: error: the machine has no cost "machine.synk"; did you mean "machine.sync"?
    29:   - "run wal.bytes.max < 20 * machine.sync"
    > 29:5: error: "wal.bytes" is a size and "machine.sync" is a duration; compare a duration with it
    29:   - "run response.p99 < 0 * machine.sync"
    > 29:5: error: expected a factor of more than 0, found "0"
    29:   - "abort run response.p99 < machine.sync"
    > 29:5: error: "abort" compares with a value; leave out "abort", or compare with a value
    29:   - "run response.p50 == machine.sync"
    > 29:5: error: a figure and a cost of the machine are never exactly equal; expected one of < <= > >=
    29:   - "run cache.object.hits.max > 90%"
    > 29:5: error: a share covers the whole phase; write cache.object.hits.sum
    """#
  )
}
