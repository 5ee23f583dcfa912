/// Scenarios with one mistake each: a line number of the small scenario, its replacement and the expected problem.
///
/// `12: text` replaces line 12, `| text` continues the replacement, and `> 12:5: error: …` is the expected problem.
enum MistakeCorpus {
  /// At the top level.
  static let topLevel = Mistake.parse(
    #"""
    1: format: 2
    > 1:9: error: expected the number 1, found "2"
    1:
    > 2:1: error: a scenario needs "format": the number 1
    2: name: my scenario
    > 2:7: error: expected a name of up to 64 letters, digits, - and _, found "my scenario"
    3: summary:
    > 3:9: error: expected a text on one line, found nothing
    3: summary: {a: b}
    > 3:10: error: expected a text on one line, found a mapping
    3: summary: "a\nb"
    > 3:10: error: expected a text on one line, found "a\nb"
    4: sead: 7
    > 4:1: error: unknown key "sead" in a scenario; did you mean "seed"?
    4: inclde: parts.yaml
    > 4:1: error: unknown key "inclde" in a scenario; did you mean "include"?
    4: include: parts.yaml
    > 4:10: error: files are included only by the file of a scenario; write "include" there
    4: seed: -1
    > 4:7: error: expected a whole number from 0 to 18446744073709551615, found "-1"
    4: seed: 18446744073709551616
    > 4:7: error: expected a whole number from 0 to 18446744073709551615, found "18446744073709551616"
    4: tags: [wal, wal]
    > 4:13: error: "wal" is listed twice
    4: tags: wal
    > 4:7: error: expected a list of names such as [one, two], found "wal"
    27: measure: {every: 0s}
    > 27:18: error: expected more than 0, found "0s"
    27: measure: {every: 999ns}
    > 27:18: error: a sample every 999ns makes 2002002 in 2s of phases, and a run keeps at most 2000000; expected \#
    "measure.every" to be at least 1us
    27: measure: {histogramDigits: 0}
    > 27:28: error: expected a whole number from 1 to 5, found "0"
    27: measure: {histogramDigits: 6}
    > 27:28: error: expected a whole number from 1 to 5, found "6"
    30: invariants: [knownAnswer]
    > 30:14: error: expected an invariant: knownAnswers, snapshotStability, monotonicSnapshots, \#
    atomicCommits, conservation, exactlyOnceNotifications, cacheCoherence, noAliasing, found "knownAnswer"; did you \#
    mean "knownAnswers"?
    30: invariants: [atomicCommits]
    > 30:14: error: "atomicCommits" needs an actor that writes several keys in a transaction; give one "transaction: \#
    {operations: 2..8}"
    30: invariants: [knownAnswers, conservation]
    > 30:28: error: "conservation" needs an actor with the operation "transfer(2)"
    30: invariants: [knownAnswers, noAliasing]
    > 30:28: error: "noAliasing" needs objects that are instances of a class, but raw bytes are values; give a \#
    collection "codec: json"
    30: views: []
    > 30:8: error: expected a list with a view in each entry, found an empty one
    30: views: [{name: all, collection: itms}]
    > 30:33: error: there is no collection "itms"; did you mean "items"?
    30: views: [{name: all, collection: items, group: bucket(0)}]
    > 30:47: error: expected from 1 to 1000000 groups, found "0"
    30: views: [{name: all, collection: items, sort: key}]
    > 30:46: error: expected a field to sort by: row, commit, size, found "key"
    30: views: [{name: all, collection: items}, {name: all, collection: items}]
    > 30:48: error: there are two views with the name "all"
    30: matrix: [engine.synchronous]
    > 30:9: error: expected a mapping of paths to lists of values such as {engine.synchronous: [normal, full]}, found \#
    a list
    30: matrix: {}
    > 30:9: error: expected a mapping of paths to lists of values such as {engine.synchronous: [normal, full]}, found \#
    an empty one
    30: matrix: {engine.synchronous: full}
    > 30:30: error: expected a list of values such as [normal, full], found "full"
    30: matrix: {engine.synchronous: {}}
    > 30:30: error: expected a mapping of labels to values, found an empty one
    30: matrix: {engine.synchronous: {fast: off, fast: full}}
    > 30:42: error: duplicate key "fast"
    30: matrix: {engine.synchronous: {fast one: off, b: full}}
    > 30:31: error: expected a name of up to 64 letters, digits, - and _, found "fast one"
    30: matrix: {engine.synchronous: {fast: fall}}
    > 30:37: error: expected a synchronous level: off, normal, full, found "fall"; did you mean "full"?
    30: matrix: {engine.driver: {one: yap, two: sqlite}}
    > 30:25: error: drivers are called by their names and have no labels; write a list of them
    30: matrix: {engine.synchronous: []}
    > 30:30: error: expected a list of values such as [normal, full], found an empty one
    30: matrix: {engine.synchronous: [off, full, off]}
    > 30:42: error: the value "off" is listed twice
    30: matrix: {engine.synchronous: [off, fall]}
    > 30:36: error: expected a synchronous level: off, normal, full, found "fall"; did you mean "full"?
    30: matrix: {engine.sinchronous: [off, full]}
    > 30:17: error: unknown key "sinchronous" in an engine; did you mean "synchronous"?
    30: matrix: {actors.reed.threads: [1, 2]}
    > 30:17: error: invalid path "actors.reed.threads": there is no "reed"; did you mean "read"?
    30: matrix: {seed: [1, 2]}
    > 30:10: error: "seed" applies to the whole scenario and cannot vary
    30: matrix: {include: [one.yaml, two.yaml]}
    > 30:10: error: "include" applies to the whole scenario and cannot vary
    30: matrix: {repeat: [1, 2]}
    > 30:10: error: "repeat" applies to the whole scenario and cannot vary
    30: matrix: {engine.synchronous: [off], engine: [{}]}
    > 30:37: error: the path "engine" overlaps "engine.synchronous"; leave one out
    30: matrix: {actors.read.threads: [1, 2, 3, 4, 5, 6, 7, 8, 9], actors.write.threads: [1, 2, 3, 4, 5, 6, 7, 8]}
    > 30:60: error: the matrix has more than 64 combinations of values
    30: repeat: 0
    > 30:9: error: expected a whole number from 1 to 100, found "0"
    4: name: again
    > 4:1: error: duplicate key "name"
    4: <<: {seed: 7}
    > 4:1: error: unknown key "<<" in a scenario; expected one of format, include, name, summary, tags, seed, engine, \#
    dataset, views, connections, actors, phases, matrix, repeat, measure, expect, show, invariants
    4: seed: !!int 7
    > 4:7: error: tags such as "tag:yaml.org,2002:int" are not allowed; write the value alone
    4: [a, b]: 7
    > 4:1: error: expected a word as the key, found a list
    4: seed: *nobody
    > 4:7: error: no anchor before this has the name "nobody"
    4: seed: [7
    > 5:7: error: this is not YAML: did not find expected ',' or ']' while parsing a flow sequence
    27: measure: {every: 5sec}
    > 27:18: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "5sec"; the unit "sec" is unknown, \#
    did you mean "s"?
    27: measure: {every: 1.0000000001s}
    > 27:18: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "1.0000000001s"; it is finer than 1 \#
    ns
    27: measure: {every: 9999999999h}
    > 27:18: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "9999999999h"; it is too large
    27: measure: []
    > 27:10: error: expected the measurement settings, written as a mapping, found a list
    """#
  )

  /// In the engine, the dataset and the connections.
  static let engineAndData = Mistake.parse(
    #"""
    5: engine: {driver: yop}
    > 5:18: error: expected a driver: yap, sqlite, grdb, lmdb, rocksdb, null, found "yop"; did you mean "yap"?
    5: engine: {driver: leveldb}
    > 5:18: error: expected a driver: yap, sqlite, grdb, lmdb, rocksdb, null, found "leveldb"
    5: engine: yap
    > 5:9: error: expected an engine, written as a mapping such as {driver: yap}, found "yap"
    5: engine: {driver: null}
    > 30:1: error: the driver "null" keeps no data, so no invariant can be checked; leave "invariants" out, or choose \#
    another driver
    5: engine: {synchronous: of}
    > 5:23: error: expected a synchronous level: off, normal, full, found "of"; did you mean "off"?
    5: engine: {pageSize: 5000B}
    > 5:20: error: expected a power of two from 512B to 64KiB, found "5000B"
    5: engine: {aggressiveCheckpointAt: 4096}
    > 5:34: error: expected a size such as 512B, 4KiB, 4MiB or 1GiB, found "4096"; a bare number has no unit: write \#
    one of 4096B, 4096KiB, 4096MiB, 4096GiB
    5: engine: {checkpoint: {mode: full, every: 1s}}
    > 5:29: error: the driver "yap" has no mode "full": its checkpointer decides when to wait for readers; \#
    write "passive", or choose the driver "sqlite"
    5: engine: {checkpoint: {mode: passive}}
    > 5:22: error: a checkpoint needs "every": a duration such as 250us, 5ms, 2s, 1m or 1h
    5: engine: {busyTimeout: 5}
    > 5:23: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "5"; a bare number has no unit: \#
    write one of 5us, 5ms, 5s, 5m, 5h
    7:   items: {rows: 0, value: {size: 64B}}
    > 7:17: error: expected more than 0, found "0"
    7:   items: {rows: -5, value: {size: 64B}}
    > 7:17: error: expected a count such as 50000, 50_000, 50k or 2M, found "-5"; it cannot be negative
    7:   items: {rows: 1e3, value: {size: 64B}}
    > 7:17: error: expected a count such as 50000, 50_000, 50k or 2M, found "1e3"; the unit "e3" is unknown; \#
    expected one of k, M, G
    7:   items: {value: {size: 64B}}
    > 7:10: error: a collection needs "rows": a count such as 50000, 50_000, 50k or 2M
    7:   items: {rows: 10, value: 64B}
    > 7:28: error: expected the shape of a value, written as a mapping such as {size: 512B}, found "64B"
    7:   items: {rows: 10, value: {size: 31B}}
    > 7:35: error: expected a size of at least 32B, found "31B"; every value starts with a header of 32B, by \#
    which reads are checked
    7:   items: {rows: 10, value: {size: 16B..64B}}
    > 7:35: error: expected a size of at least 32B, found "16B..64B"; every value starts with a header of 32B, by \#
    which reads are checked
    7:   items: {rows: 10, value: {size: 2GB}}
    > 7:35: error: expected a size of at most 1GB, found "2GB"; SQLite refuses a larger value
    7:   items: {rows: 10, value: {size: histogram(sizes.csv)}}
    > 7:35: error: the file "sizes.csv" cannot be found: this scenario is not in a folder
    7:   items: {rows: 10, value: {size: histogram(sizes.csv 2)}}
    > 7:35: error: expected histogram(FILE) such as histogram(sizes.csv), found "histogram(sizes.csv 2)"; "histogram" \#
    takes one argument
    7:   items: {rows: 10, value: {size: 64B, compressible: 1.5}}
    > 7:54: error: expected a number from 0 to 1 such as 0.5, found "1.5"
    7:   items: {rows: 10, value: {size: 64B}, codec: jsn}
    > 7:48: error: expected a codec: raw, json, found "jsn"; did you mean "json"?
    7:   items: {rows: 10, value: {size: 64B}, key: hash}
    > 7:46: error: expected a form of keys such as ordered, hashed or ycsbHashed(1), found "hash"; did you mean \#
    "hashed"?
    7:   items: {rows: 2000M, value: {size: 64B}}
    > 7:17: error: the dataset would hold about 119 GiB; expected at most 64 GiB
    9:   one: {objectCacheLimit: lots}
    > 9:27: error: expected a count such as 50000, 50_000, 50k or 2M, found "lots"
    9:   one: {objectCache: maybe}
    > 9:22: error: expected true or false, found "maybe"
    9:   one: {objectCache: false, objectCacheLimit: 5}
    > 9:29: error: "objectCacheLimit" limits a cache that "objectCache" turns off; leave one out
    9:   one: {count: 257}
    > 9:16: error: expected a whole number from 1 to 256, found "257"
    9:   one: {permitted: [read]}
    > 9:21: error: expected a permitted transaction: syncRead, asyncRead, syncReadWrite, asyncReadWrite, found "read"
    9:   one: {permitted: [asyncRead]}
    > 13:5: error: the connection "one" does not permit "syncRead", which the actor needs
    9:   one:
    > 9:7: error: expected a connection, written as a mapping such as {}, found nothing
    """#
  )

  /// In a phase.
  static let phases = Mistake.parse(
    #"""
    24:   - nmae: run
    > 24:5: error: unknown key "nmae" in a phase; did you mean "name"?
    25:     record: true
    > 24:5: error: a phase needs an end: "for", "operations", "commits", "rows", "until" with "within", or an actor \#
    with "operationCount"
    25:     fro: 2s
    > 25:5: error: unknown key "fro" in a phase; did you mean "for"?
    25:     for: 2
    > 25:10: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "2"; a bare number has no unit: \#
    write one of 2us, 2ms, 2s, 2m, 2h
    25:     for: 2s
    |     comits: 5k
    > 26:5: error: unknown key "comits" in a phase; did you mean "commits"?
    25:     rows: 0
    > 25:11: error: expected more than 0, found "0"
    25:     for: 2s
    |     operationCount: 5k
    > 26:5: error: unknown key "operationCount" in a phase; expected one of name, for, operations, commits, rows, \#
    until, within, actors, record, events
    25:     for: 5s
    |     until: wal.bytes > 1MiB
    |     within: 9s
    > 27:5: error: after "within" the run fails, and after "for" the phase ends as planned; leave one of them out
    25:     for: 30h
    > 27:18: error: a sample every 50ms makes 2160000 in 30h of phases, and a run keeps at most 2000000; expected \#
    "measure.every" to be at least 54ms
    25:     until: wal.bytes > 1MiB
    |     within: 30h
    > 28:18: error: a sample every 50ms makes 2160000 in 30h of phases, and a run keeps at most 2000000; expected \#
    "measure.every" to be at least 54ms
    25:     until: wal.bytes > 1MiB
    > 25:5: error: "until" needs "within", the longest wait, such as 20s; or "for", if the phase may end without it
    25:     for: 2s
    |     within: 5s
    > 26:5: error: "within" needs "until": the condition that is waited for
    25:     until: steady(throughput 1% 10s)
    |     within: 5s
    > 25:12: error: the time limit (5s) is shorter than the window (10s); expected a longer "within" or "for"
    25:     until: steady(throughput 1%)
    |     within: 5s
    > 25:12: error: expected steady(METRIC SHARE DURATION) such as steady(throughput 1% 10s), found \#
    "steady(throughput 1%)"; "steady" takes 3 arguments
    25:     until: steady(response 1% 10s)
    |     within: 50s
    > 25:12: error: a condition cannot watch "response"; expected one of throughput, storage.bytes, wal.bytes, \#
    wal.frames, wal.backlogFrames, pin.frames, pin.bytes, pin.seconds, snapshot.ageCommits, snapshot.ageSeconds, \#
    changes.pendingCommits, changes.pendingBytes, memory.resident, memory.allocated, lmdb.usedBytes, lmdb.heldBytes, \#
    lmdb.readers, lmdb.oldestReaderLag, rocksdb.walBytes, rocksdb.sstBytes, rocksdb.memtableBytes, \#
    rocksdb.pendingCompactionBytes, rocksdb.delayedWriteRate, rocksdb.stallTime, rocksdb.snapshots, \#
    rocksdb.oldestSnapshotLag
    25:     until: steady(throughput 1% 100ms)
    |     within: 5s
    > 25:12: error: the window of "steady(throughput 1% 100ms)" is too short for ten samples; expected at \#
    least ten times "measure.every"
    25:     until: wal.bytes.max > 1MiB
    |     within: 5s
    > 25:12: error: a condition compares each sample and takes no aggregate; write wal.bytes
    25:     until: throughput > 5/s
    |     within: 5s
    > 25:12: error: a condition cannot watch "throughput"; expected one of storage.bytes, wal.bytes, wal.frames, \#
    wal.backlogFrames, pin.frames, pin.bytes, pin.seconds, snapshot.ageCommits, snapshot.ageSeconds, \#
    changes.pendingCommits, changes.pendingBytes, memory.resident, memory.allocated, lmdb.usedBytes, lmdb.heldBytes, \#
    lmdb.readers, lmdb.oldestReaderLag, rocksdb.walBytes, rocksdb.sstBytes, rocksdb.memtableBytes, \#
    rocksdb.pendingCompactionBytes, rocksdb.delayedWriteRate, rocksdb.stallTime, rocksdb.snapshots, \#
    rocksdb.oldestSnapshotLag
    26:     actors: [read, write, reed]
    > 26:27: error: there is no actor "reed"; did you mean "read"?
    26:     actors: [read, write, read]
    > 26:27: error: the actor "read" is listed twice; give it "threads" instead
    26:     actors: [write]
    > 12:3: error: no phase uses the actor "read"
    26:     actors: {write: {}, read: {threads: many}}
    > 26:41: error: expected a whole number from 1 to 1024, found "many"
    26:     actors: {write: {}, read: {operations: {set: 1}, snapshot: {longLived: never}}}
    > 26:54: error: a connection in a long-lived read cannot write, since a write would end the read and move the \#
    snapshot; write with another actor on another connection
    26:     actors: {write: {snapshot: {longLived: never}}, read: {}}
    > 26:22: error: a connection in a long-lived read cannot write, since a write would end the read and move the \#
    snapshot; write with another actor on another connection
    26:     actors: {write: {connection: one}, read: {snapshot: {longLived: never}}}
    > 26:14: error: the actor "write" writes on the connection that "read" holds in a long-lived read; give "write" \#
    another connection
    26:     actors: {write: {operations: {get: 1}, connection: one}, read: {snapshot: {longLived: never}}}
    > 26:62: error: the actors "write" and "read" need different snapshots on one connection; give them the same \#
    "snapshot", or separate connections
    26:     actors: {write: {}, read: 2}
    > 26:31: error: expected the keys that change, or {} for none, found "2"
    25:     for: 2s
    |     actors: [read, write]
    |   - name: run
    |     for: 2s
    > 27:11: error: there are two phases with the name "run"
    """#
  )
}
