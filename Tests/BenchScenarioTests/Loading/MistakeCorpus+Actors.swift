extension MistakeCorpus {
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
    14:     operations: {get: [1]}
    > 14:23: error: expected a weight such as 95, or a mapping such as {weight: 95, keys: latest}, found a list
    14:     operations: {get: {keys: latest}}
    > 14:23: error: an operation of an actor needs "weight": a count such as 50000, 50_000, 50k or 2M
    14:     operations: {get: {weight: 0, keys: latest}}
    > 14:32: error: expected a weight from 1 to 1000000, found "0"
    14:     operations: {get: {weight: 1, kys: latest}}
    > 14:35: error: unknown key "kys" in an operation of an actor; did you mean "keys"?
    14:     operations: {get: {weight: 1, collection: items}}
    > 14:35: error: unknown key "collection" in an operation of an actor; expected one of weight, keys
    14:     operations: {get: {weight: 1, keys: latst}}
    > 14:41: error: expected a key distribution such as sequential, uniform, zipfian(0.99), scrambledZipfian, latest, \#
    hotspot(20% 80%) or exponential(95% 85.7%), found "latst"; did you mean "latest"?
    14:     operations: {get: 1, enumerate: {weight: 1, keys: latest}}
    > 14:55: error: "enumerate" draws no row; leave its keys out
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
}
