extension MistakeCorpus {
  /// In collections that grow, and in the operations on them.
  static let collections = Mistake.parse(
    #"""
    14:     operations: {scan(1..100001): 1}
    > 14:18: error: expected from 1 to 100000 keys, found "1..100001"
    14:     operations: {scan(1-100): 1}
    > 14:18: error: expected a range such as 1..8, found "1-100"; write it as 1..100
    14:     operations: {itms.get: 1}
    > 14:18: error: there is no collection "itms"; did you mean "items"?
    14:     operations: {items.gett: 1}
    > 14:18: error: expected an operation such as get, multiGet(20) or set, found "gett"; did you mean "get"?
    14:     operations: {my items.get: 1}
    > 14:18: error: expected a name of up to 64 letters, digits, - and _, found "my items"
    14:     operations: {items.empty: 1}
    > 14:18: error: "empty" uses no collection; leave out "items."
    14:     operations: {items.nestedRead(two): 1}
    > 14:18: error: "nestedRead(two)" uses the actor's "collection"; leave out "items."
    14:     operations: {items.get: 1, items.get: 2}
    > 14:32: error: duplicate key "items.get"
    20:     operations: {items.transfer(2): 1, set: 1}
    > 18:3: error: the actor "write" would "set" rows of "items", and so change the sum of the balances that \#
    "transfer" moves; give it another collection
    20:     operations: {append: 1}
    > 20:18: error: expected an operation such as get, multiGet(20) or set, found "append"; did you mean "insert"?
    20:     operations: {insert: 1}
    > 20:5: error: "insert" needs room for new rows; give the collection "items" "inserts", the most rows that its \#
    actors insert, such as inserts: 1M
    7:   items: {rows: 1k, inserts: 0, value: {size: 64B}}
    > 7:30: error: expected more than 0, found "0"
    7:   items: {rows: 1k, inserts: 2G, value: {size: 64B}}
    > 7:30: error: the dataset with its inserts would hold about 119 GiB; expected at most 64 GiB
    7:   items: {rows: 1k, inserts: 9223372036854775807, value: {size: 64B}}
    > 7:30: error: the dataset with its inserts would hold about 549755813888 GiB; expected at most 64 GiB
    7:   items: {rows: 1k, key: random, value: {size: 64B}}
    > 7:26: error: expected a form of keys such as ordered, hashed or ycsbHashed(1), found "random"
    7:   items: {rows: 1k, key: ycsbHashed, value: {size: 64B}}
    > 7:26: error: expected ycsbHashed(DIGITS) such as ycsbHashed(1), found "ycsbHashed"; "ycsbHashed" takes one \#
    argument
    """#
  )
}
