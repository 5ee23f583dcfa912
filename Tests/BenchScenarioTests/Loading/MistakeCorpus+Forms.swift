extension MistakeCorpus {
  /// Values and keys as other programs write them.
  static let foreignForms = Mistake.parse(
    #"""
    5: engine {driver: yap}
    > 5:1: error: expected a colon after the key "engine"
    14:     operations {get: 9}
    > 14:5: error: expected a colon after the key "operations"
    8: connections {one: {}}
    > 8:1: error: expected a colon after the key "connections"
    13:     connection one
    > 13:5: error: expected a colon after the key "connection"
    12:   read
    > 12:3: error: expected a colon after the key "read"
    12:    read:
    > 12:4: error: line 12 is indented by 3 spaces and line 18 by 2; the keys of a mapping need the same indent
    14:       operations: {get: 9}
    > 14:7: error: line 13 is indented by 4 spaces and line 14 by 6; the keys of a mapping need the same indent
    14:  operations: {get: 9}
    > 14:2: error: the line is indented by 1 space; expected 4 as in line 13, or 2 as in line 12, or 0 as in line 11
    26:   actors: [read, write]
    > 26:3: error: the line is indented by 2 spaces; expected 4 as in line 25, or 0 as in line 23
    30: ```
    > 30:1: error: a fence of Markdown is not part of a scenario; leave out the line
    5: engine: {driver: wiredtiger}
    > 5:18: error: expected a driver: yap, sqlite, grdb, lmdb, rocksdb, null, found "wiredtiger"
    7:   items: {rows: 1k, value: {size: 4K}}
    > 7:35: error: expected a size such as 512B, 4KiB, 4MiB or 1GiB, found "4K"; the unit "K" is unknown, did you \#
    mean "kB" (1000) or "KiB" (1024)?
    7:   items: {rows: 1k, value: {size: “64B”}}
    > 7:35: error: expected straight quotation marks, found "“64B”"; write "64B"
    2: name: ‘small’
    > 2:7: error: expected straight quotation marks, found "‘small’"; write "small"
    7:   items: {rows: 1k, value: {size: 64B, compressible: 50%}}
    > 7:54: error: expected a number from 0 to 1 such as 0.5, found "50%"; write it as 0.5
    7:   items: {rows: 1k, size: 64B}
    > 7:21: error: "size" is a key of the shape of a value; put it under "value"
    9:   one: {objectCacheLimit: -1}
    > 9:27: error: expected a count such as 50000, 50_000, 50k or 2M, found "-1"; it cannot be negative
    9:   one: {metadataCache: off, metadataCacheLimit: 1}
    > 9:29: error: "metadataCacheLimit" limits a cache that "metadataCache" turns off; leave one out
    14:     operations: {get: 95%}
    > 14:23: error: expected a weight from 1 to 1000000, found "95%"; weights are whole numbers, such as 95 and 5
    14:     operations: {get: 0.95}
    > 14:23: error: expected a weight from 1 to 1000000, found "0.95"; weights are whole numbers, such as 95 and 5
    14:     operations: {delete: 1}
    > 14:18: error: expected an operation such as get, multiGet(20) or set, found "delete"; did you mean "remove"?
    14:     operations: {update: 1}
    > 14:18: error: expected an operation such as get, multiGet(20) or set, found "update"; did you mean "replace"?
    14:     operations: {read: 1}
    > 14:18: error: expected an operation such as get, multiGet(20) or set, found "read"; did you mean "get"?
    17:     transaction: {operations: 1-8}
    > 17:31: error: expected a range such as 1..8, found "1-8"; write it as 1..8
    22:     load: {rate: 1000 /s}
    > 22:18: error: expected a rate such as 200/s, 5/ms or 30/min, found "1000 /s"; write it without a space: 1000/s
    22:     load: {rate: 1000 ops/s}
    > 22:18: error: expected a rate such as 200/s, 5/ms or 30/min, found "1000 ops/s"; write it as 1000/s
    22:     load: {rate: 2K/sec}
    > 22:18: error: expected a rate such as 200/s, 5/ms or 30/min, found "2K/sec"; write it as 2k/s
    22:     load: {rate: 1000 per second}
    > 22:18: error: expected a rate such as 200/s, 5/ms or 30/min, found "1000 per second"; write it as 1000/s
    22:     load: {rate: 30/minute}
    > 22:18: error: expected a rate such as 200/s, 5/ms or 30/min, found "30/minute"; write it as 30/min
    25:     for: 1m30s
    > 25:10: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "1m30s"; write it with one unit: 90s
    25:     for: 3sec
    > 25:10: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "3sec"; the unit "sec" is unknown, \#
    did you mean "s"?
    25:     for: 3 sec
    > 25:10: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "3 sec"; the unit "sec" is unknown, \#
    did you mean "s"?
    25:     for: 2s
    |     events: [{at: 1s, do: crash}]
    > 26:27: error: expected an event such as checkpoint(truncate), vacuum, advance(ACTOR) or stall(ACTOR 20s), found \#
    "crash"; did you mean "kill"?
    29:   - “run/write response.p99 < 50ms”
    > 29:5: error: expected straight quotation marks, found "“run/write response.p99 < 50ms”"; write \#
    "run/write response.p99 < 50ms"
    29:   - "run/write response.p999 < 50ms"
    > 29:5: error: "response" has no aggregate "p999"; did you mean "p99_9"?
    29:   - "run wal.backlog.max < 50"
    > 29:5: error: there is no metric "wal.backlog.max"; did you mean "wal.backlogFrames"?
    25:     until: "wal.backlog == 0"
    |     within: 5s
    > 25:12: error: there is no metric "wal.backlog"; did you mean "wal.backlogFrames"?
    25:     until: "wal.size > 5MiB"
    |     within: 5s
    > 25:12: error: there is no metric "wal.size"; expected one of wal.bytes, wal.frames, wal.backlogFrames
    29:   - "run/write response.p99 < 50ms && run/write service.p99 < 5ms"
    > 29:5: error: expected an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as \#
    "run/import response.p99 < 50ms", found "run/write response.p99 < 50ms && run/write service.p99 < 5ms"; write \#
    each condition as an expectation of its own
    29:   - "run/write response.p99 < 50ms abort"
    > 29:5: error: expected an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as \#
    "run/import response.p99 < 50ms", found "run/write response.p99 < 50ms abort"; write "abort" first
    29:   - "response.p99 < 50ms"
    > 29:5: error: expected an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as \#
    "run/import response.p99 < 50ms", found "response.p99 < 50ms"; write the phase before the metric
    29:   - "abort response.p99 < 50ms"
    > 29:5: error: unreachable expectation: "abort" needs a phase after it; write "abort PHASE …"
    29:   - "run/write response.p99 <50ms"
    > 29:5: error: expected an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as \#
    "run/import response.p99 < 50ms", found "run/write response.p99 <50ms"; write a space before and after "<"
    """#
  )

  /// Names that are misspelt where they are defined or used, and keys that are there twice.
  static let names = Mistake.parse(
    #"""
    12:   reed:
    > 26:14: error: there is no actor "read"; did you mean "reed"?
    26:     actors: [reed, write]
    > 26:14: error: there is no actor "reed"; did you mean "read"?
    26:     actors: {reed: {}, write: {}}
    > 26:14: error: there is no actor "reed"; did you mean "read"?
    26:     actors: [read, wriet]
    > 26:20: error: there is no actor "wriet"; did you mean "write"?
    26:     actors: [read, wriet]
    |     events: [{at: 1s, do: stall(write 1s)}]
    > 26:20: error: there is no actor "wriet"; did you mean "write"?
    18:   read:
    > 18:3: error: duplicate key "read"
    22:     load: {rtae: 100/s}
    > 22:12: error: unknown key "rtae" in a load; did you mean "rate"?
    21:     colection: items
    > 21:5: error: unknown key "colection" in an actor; did you mean "collection"?
    """#
  )

  /// In loads whose rate changes.
  static let curves = Mistake.parse(
    #"""
    22:     load: {base: 10/s, peak: 100/s, every: 1s, for: 200ms}
    > 22:12: error: "base", "peak", "every" and "for" are keys of a burst; put them under "burst"
    22:     load: {ramp: {from: 0/s, to: 0/s}}
    > 22:30: error: a ramp from 0 to 0 starts no transaction; give one end a higher rate
    22:     load: {ramp: {from: 0, to: 5/s}}
    > 22:25: error: expected a rate such as 200/s, 5/ms or 30/min, found "0"; a bare number has no unit: write one of \#
    0/s, 0/ms, 0/min
    22:     load: {from: 10/s, to: 100/s}
    > 22:12: error: "from" and "to" are keys of a ramp; put them under "ramp"
    17:     load: {closed: {think: 5ms..1ms}}
    > 17:28: error: expected a range whose lower end is first, found "5ms..1ms"
    17:     load: {closed: {think: 1ms-5ms}}
    > 17:28: error: expected a range such as 1..8, found "1ms-5ms"; write it as 1ms..5ms
    17:     load: {closed: {think: 1..5ms}}
    > 17:28: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "1"; a bare number has no unit: \#
    write one of 1us, 1ms, 1s, 1m, 1h
    17:     load: {think: 10ms}
    > 17:12: error: "think" is a key of a closed load; put it under "closed"
    17:     load: {closed: true}
    > 17:20: error: expected a closed load, written as a mapping such as {think: 5ms}, found "true"; write "load: \#
    closed" for a load without pauses
    22:     load: {stages: {to: 5/s, for: 1s}}
    > 22:20: error: expected a list with a stage in each entry, found a mapping
    22:     load: {stages: []}
    > 22:20: error: expected a list with a stage in each entry, found an empty one
    22:     load: {stages: [5/s]}
    > 22:21: error: expected a stage, written as a mapping such as {to: 500/s, for: 10s}, found "5/s"
    22:     load: {stages: [{to: 5/s}]}
    > 22:21: error: a stage needs "for": a duration such as 250us, 5ms, 2s, 1m or 1h
    22:     load: {stages: [{for: 5s}]}
    > 22:21: error: a stage needs "to": a rate such as 200/s, 5/ms or 30/min
    22:     load: {stages: [{to: 5/s, for: 0s}]}
    > 22:36: error: expected more than 0, found "0s"
    22:     load: {stages: [{to: -5/s, for: 1s}]}
    > 22:26: error: expected a rate such as 200/s, 5/ms or 30/min, found "-5/s"; it cannot be negative
    22:     load: {stages: [{to: 60M/s, for: 1s}]}
    > 22:26: error: expected at most 50M/s, found "60M/s"; a load generator cannot draw more arrivals in a second
    22:     load: {stages: [{to: 0/s, for: 1s}]}
    > 22:20: error: all stages have the rate 0, so no transaction would start; give one a higher rate
    22:     load: {stages: [{to: 5/s, for: 1s}, {to: 5/s, for: 1s}, {to: 0/s, for: 1s}]}
    > 26:20: error: stage 3 of the actor "write" never begins, because the phase ends after 2s; expected shorter \#
    stages, or a longer phase
    22:     load: {stages: [{to: 5/s, for: 1s}], rate: 5/s}
    > 22:12: error: a load is one of closed, rate, ramp, stages, burst, sine, trace; found "rate" and "stages"
    22:     load: {burst: {base: 5/s, peak: 9/s, lastPeak: 4/s, every: 5s, for: 1s}}
    > 22:42: error: the last peak of bursts must not be lower than their base
    """#
  )
}
