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
    > 4:1: error: unknown key "<<" in a scenario; expected one of format, name, summary, tags, seed, engine, \#
    dataset, views, connections, actors, phases, matrix, repeat, measure, expect, invariants
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

  /// In an actor.
  static let actors = Mistake.parse(
    #"""
    13:     connection: uno
    > 13:17: error: there is no connection "uno"; expected one of one, two
    13:     connection: [one, uno]
    > 13:23: error: there is no connection "uno"; expected one of one, two
    13:     connection: [one, one]
    > 13:23: error: the connection "one" is listed twice
    13:     connection: []
    > 13:17: error: expected a name, or a list of names such as [one, two], found an empty one
    13:     conection: one
    > 13:5: error: unknown key "conection" in an actor; did you mean "connection"?
    14:     operations: {gett: 1}
    > 14:18: error: expected an operation such as get, multiGet(20) or set, found "gett"; did you mean "get"?
    14:     operations: {viewAt: 1}
    > 14:5: error: "viewAt" reads a view, and the actor's collection has no view; register one under "views"
    16:     view: all
    > 16:5: error: the actor reads no view; leave "view" out
    14:     operations: {scan(0): 1}
    > 14:18: error: expected from 1 to 100000 keys, found "0"
    20:     operations: {transfer(1): 1}
    > 20:18: error: expected from 2 to 100000 keys, found "1"
    14:     operations: {begin: 1}
    > 14:5: error: "begin" moves the long-lived read, and the actor has none; give it "snapshot: \#
    {longLived: never}"
    20:     operations: {transfer(2): 1, set: 1}
    > 18:3: error: the actor "write" would "set" rows of "items", and so change the sum of the balances that \#
    "transfer" moves; give it another collection
    16:     snapshot: {longLived: onNotification, react: 0}
    > 16:50: error: expected all, or a count of rows such as 20, found "0"
    16:     snapshot: {react: all}
    > 16:15: error: a snapshot needs "longLived": one of onNotification, every(16ms), behind(1), after(10s), never
    14:     operations: {nestedRead(uno): 1}
    > 14:18: error: there is no connection "uno"; expected one of one, two
    14:     operations: {get: 1, nestedWrite(tow): 1}
    > 14:26: error: there is no connection "tow"; did you mean "two"?
    14:     operations: {nestedRead: 1}
    > 14:18: error: expected nestedRead(CONNECTION) such as nestedRead(ui), found "nestedRead"; "nestedRead" takes \#
    one argument
    14:     operations: {nestedReed(two): 1}
    > 14:18: error: expected an operation such as get, multiGet(20) or set, found "nestedReed(two)"; "nestedReed" is \#
    unknown, did you mean "nestedRead"?
    14:     operations: {nestedRead(t/wo): 1}
    > 14:18: error: expected a name of up to 64 letters, digits, - and _, found "t/wo"
    14:     operations: {multiGet: 1}
    > 14:18: error: expected multiGet(KEYS) such as multiGet(20), found "multiGet"; "multiGet" takes one argument
    14:     operations: {get: 0}
    > 14:23: error: expected a weight from 1 to 1000000, found "0"
    14:     operations: get
    > 14:17: error: expected a mapping of operations to weights such as {get: 95, set: 5}, found "get"
    14:     operations: {multiGet(4): 1, multiGet( 4): 1}
    > 14:34: error: the operation "multiGet(4)" is listed twice
    14:     operations: {setMetadata: 1}
    > 14:5: error: "setMetadata" needs the size of metadata; the collection "items" has no "metadata"
    15:     collection: itms
    > 15:17: error: there is no collection "itms"; did you mean "items"?
    15:     threads: 2
    > 14:5: error: the operation "get" needs "collection"; expected one of items
    15:     collection: items
    |     threads: 0
    > 16:14: error: expected a whole number from 1 to 1024, found "0"
    16:     keys: zipfian(NaN)
    > 16:11: error: expected a number without a unit such as 0.99, found "NaN"
    16:     keys: zipfian(1e309)
    > 16:11: error: expected a number without a unit such as 0.99, found "1e309"
    16:     keys: zipfain(0.99)
    > 16:11: error: expected a key distribution such as sequential, uniform, zipfian(0.99), scrambledZipfian, latest, \#
    hotspot(20% 80%) or exponential(95% 85.7%), found "zipfain(0.99)"; "zipfain" is unknown, did you mean "zipfian"?
    16:     keys: "hotspot(20%, 80%)"
    > 16:11: error: the arguments of "hotspot(20%, 80%)" are separated by spaces, never commas
    16:     keys: latest(5)
    > 16:11: error: expected latest, found "latest(5)"; "latest" takes no argument
    17:     load: 5/s
    > 17:11: error: expected a load: closed, {closed: …}, {rate: 200/s}, {ramp: …}, {stages: …}, {burst: …}, \#
    {sine: …}, {trace: …}, found "5/s"; write {rate: 5/s}
    17:     load: {rate: 0/s}
    > 17:18: error: expected more than 0, found "0/s"
    17:     load: {rate: 5}
    > 17:18: error: expected a rate such as 200/s, 5/ms or 30/min, found "5"; a bare number has no unit: write one \#
    of 5/s, 5/ms, 5/min
    17:     load: {arrival: poisson}
    > 17:11: error: a load needs one of closed, rate, ramp, stages, burst, sine, trace
    17:     load: {rate: 5/s, ramp: {from: 1/s, to: 2/s}}
    > 17:23: error: a load is one of closed, rate, ramp, stages, burst, sine, trace; found "rate" and "ramp"
    17:     load: {closed: {think: 1ms}, arrival: poisson}
    > 17:34: error: a closed load has no "arrival": a transaction starts when the previous one ended
    17:     load: {trace: arrivals.csv}
    > 17:19: error: the file "arrivals.csv" cannot be found: this scenario is not in a folder
    17:     load: {burst: {base: 5/s, peak: 1/s, every: 5s, for: 1s}}
    > 17:31: error: the peak of a burst must not be lower than its base
    17:     load: {burst: {base: 5/s, peak: 9/s, every: 5s, for: 6s}}
    > 17:53: error: a burst must be shorter than "every", the time from one burst to the next
    17:     load: {sine: {low: 9/s, high: 5/s, period: 5s}}
    > 17:29: error: the high rate of a sine must not be lower than its low rate
    17:     snapshot: {longLived: sometimes}
    > 17:27: error: expected one of onNotification, every(16ms), behind(1), after(10s), never, found "sometimes"
    17:     snapshot: {longLived: behind(1)}
    > 17:5: error: behind(1) needs one thread and a pool of 2 connections, each of which moves in its turn; write \#
    "count: 2" at the connection
    17:     snapshot: {longLived: behind(0)}
    > 17:27: error: expected from 1 to 255 commits, found "0"
    17:     snapshot: {longLived: after}
    > 17:27: error: expected after(DURATION) such as after(10s), found "after"; "after" takes one argument
    17:     snapshot: newest
    > 17:15: error: expected a snapshot: latest, {longLived: onNotification}, {longLived: every(16ms)}, \#
    {longLived: behind(1)}, {longLived: after(10s)}, {longLived: never}, found "newest"
    17:     transaction: {operations: 8..1}
    > 17:31: error: expected a range whose lower end is first, found "8..1"
    17:     transaction: {api: asynk}
    > 17:24: error: expected a way to call a transaction: sync, async, found "asynk"; did you mean "async"?
    17:     connectionLifetime: perTransaction
    |     snapshot: {longLived: never}
    > 17:5: error: a connection that is opened for each transaction keeps no snapshot; leave out "connectionLifetime"
    17:     deadline: 5ms
    > 17:5: error: a closed load has no "deadline": a transaction starts when the previous one ended; give a rate
    21:     collection: items
    |     transaction: {kind: read}
    > 22:5: error: a read transaction cannot "set"; expected kind: readWrite, or operations that only read
    21:     collection: items
    |     snapshot: {longLived: never}
    > 22:5: error: a connection in a long-lived read cannot write, since a write would end the read and move the \#
    snapshot; write with another actor on another connection
    20:     operations: {}
    > 20:17: error: expected a mapping of operations to weights such as {get: 95, set: 5}, found an empty one
    22:     load: {rate: 50000001/s}
    > 22:18: error: expected at most 50M/s, found "50000001/s"; a load generator cannot draw more arrivals in a second
    22:     load: {rate: 4294967296/s}
    > 22:18: error: expected at most 50M/s, found "4294967296/s"; a load generator cannot draw more arrivals in a second
    22:     load: {rate: 50001/ms}
    > 22:18: error: expected at most 50M/s, found "50001/ms"; a load generator cannot draw more arrivals in a second
    22:     load: {rate: 51M/s}
    > 22:18: error: expected at most 50M/s, found "51M/s"; a load generator cannot draw more arrivals in a second
    22:     load: {ramp: {from: 1/s, to: 60M/s}}
    > 22:34: error: expected at most 50M/s, found "60M/s"; a load generator cannot draw more arrivals in a second
    22:     load: {burst: {base: 1/s, peak: 60M/s, every: 5s, for: 1s}}
    > 22:37: error: expected at most 50M/s, found "60M/s"; a load generator cannot draw more arrivals in a second
    22:     load: {sine: {low: 1/s, high: 60M/s, period: 5s}}
    > 22:35: error: expected at most 50M/s, found "60M/s"; a load generator cannot draw more arrivals in a second
    22:     load: {rate: 10/h}
    > 22:18: error: expected a rate such as 200/s, 5/ms or 30/min, found "10/h"; the unit "/h" is unknown; \#
    expected one of /s, /ms, /min
    17:     snapshot: {longLived: every(0s)}
    > 17:27: error: expected more than 0, found "0s"
    """#
  )

  /// In a phase.
  static let phases = Mistake.parse(
    #"""
    24:   - nmae: run
    > 24:5: error: unknown key "nmae" in a phase; did you mean "name"?
    25:     record: true
    > 24:5: error: a phase needs an end: "for", "operations", or "until" with "within"
    25:     for: 2
    > 25:10: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found "2"; a bare number has no unit: \#
    write one of 2us, 2ms, 2s, 2m, 2h
    25:     for: 2s
    |     operations: 5k
    > 26:5: error: a phase has one end; found "for" and "operations"
    25:     for: 30h
    > 27:18: error: a sample every 50ms makes 2160000 in 30h of phases, and a run keeps at most 2000000; expected \#
    "measure.every" to be at least 54ms
    25:     until: wal.bytes > 1MiB
    |     within: 30h
    > 28:18: error: a sample every 50ms makes 2160000 in 30h of phases, and a run keeps at most 2000000; expected \#
    "measure.every" to be at least 54ms
    25:     until: wal.bytes > 1MiB
    > 25:5: error: "until" needs "within": the longest wait, such as 20s
    25:     for: 2s
    |     within: 5s
    > 26:5: error: "within" needs "until": the condition that is waited for
    25:     until: steady(throughput 1% 10s)
    |     within: 5s
    > 25:12: error: "within" (5s) is shorter than the window (10s); expected a longer "within"
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
