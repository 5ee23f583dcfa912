/// A history in the EDN format of Elle, whose checker of lists reads it.
///
/// Each transaction is two maps: its invocation, in which reads have no value, and its end. The process of a bookmark's
/// connection reads old snapshots, so Elle finds no error in a history only if it is asked for serializability without
/// the order of time.
package enum ElleHistory {
  /// Returns the lines of a history.
  /// - Parameter index: The number of the first line.
  package static func lines(_ transactions: [ListTransaction], firstIndex index: Int = 0) -> [String] {
    var moments: [(time: UInt64, isEnd: Bool, transaction: Int)] = []
    for (number, transaction) in transactions.enumerated() {
      moments.append((transaction.begun, false, number))
      moments.append((transaction.ended, true, number))
    }
    // Of equal times, ends come first: no transaction then seems to overlap the next one of its process.
    moments.sort { ($0.time, $0.isEnd ? 0 : 1, $0.transaction) < ($1.time, $1.isEnd ? 0 : 1, $1.transaction) }
    return moments.enumerated().map { position, moment in
      let transaction = transactions[moment.transaction]
      let end = transaction.outcome == .committed ? "ok" : "fail"
      let type = moment.isEnd ? end : "invoke"
      let value = transaction.operations.map { text($0, isKnown: moment.isEnd && end == "ok") }.joined(separator: " ")
      return "{:type :\(type), :f :txn, :value [\(value)], :process \(transaction.process), :time \(moment.time), "
        + ":index \(index + position)}"
    }
  }

  private static func text(_ operation: ListOperation, isKnown: Bool) -> String {
    switch operation {
    case .append(let key, let value): "[:append \(key) \(value)]"
    case .read(let key, let values):
      isKnown ? "[:r \(key) [\(values.map(String.init).joined(separator: " "))]]" : "[:r \(key) nil]"
    }
  }
}
