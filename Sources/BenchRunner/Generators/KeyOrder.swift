internal import BenchModel
internal import SeededRandom
internal import ThreadingPrimitives

/// The rows of a collection in the order of their keys. For hashed keys the order is computed on first use, because
/// only scans need it.
final class KeyOrder: Sendable {
  private struct Places {
    /// The rows, in the order of their keys.
    var rows: [Int32]
    /// For each row, its index in `rows`.
    var places: [Int32]
  }

  private let keys: RowKeys
  private let count: Int
  private let known = Guarded<Places?>(nil)

  init(_ keys: RowKeys, count: Int) {
    self.keys = keys
    self.count = count
  }

  func rows(from row: Int, count wanted: Int) -> [Int] {
    if keys.form == .ordered { return Array(row..<min(row + wanted, count)) }
    return known.withLock { known in
      if known == nil { known = sorted() }
      guard let known else { return [] }
      let first = Int(known.places[row])
      return known.rows[first..<min(first + wanted, count)].map { Int($0) }
    }
  }

  private func sorted() -> Places {
    // Base-32 digits sort in the order of the numbers that they encode.
    let numbers = (0..<count).map { RandomStream.mix(UInt64($0)) }
    let rows = (0..<Int32(count)).sorted { numbers[Int($0)] < numbers[Int($1)] }
    var places = Array(repeating: Int32(0), count: count)
    for (place, row) in rows.enumerated() { places[Int(row)] = Int32(place) }
    return Places(rows: rows, places: places)
  }
}
