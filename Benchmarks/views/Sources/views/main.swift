// Measures the cost of views: upkeep of an insert, row changes, population, loading, reading by index, and memory.
//
//     swift run -c release --package-path Benchmarks/views views 100000 9    # rows, rounds
//
// Databases with and without a view alternate in each round, on the same random keys. Figures are medians over the
// rounds, with the quartiles of their ratios, of the thread's processor time; nothing is synced. Values have 100 bytes.
// The first eight are random and determine the order, so most rows are inserted at random positions.

import Foundation
import YapEngine

struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func key() -> String {
    let digits = String(next(), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  mutating func value() -> [UInt8] {
    let first = next()
    return (0..<8).map { UInt8(truncatingIfNeeded: first >> UInt64(8 * $0)) } + [UInt8](repeating: 7, count: 92)
  }
}

func order(_ left: Any, _ right: Any) -> ComparisonResult {
  guard let left = left as? [UInt8], let right = right as? [UInt8] else { return .orderedSame }
  for place in 0..<8 where left[place] != right[place] {
    return left[place] < right[place] ? .orderedAscending : .orderedDescending
  }
  return .orderedSame
}

/// The order of the view: by the objects' random numbers, by key, or by insertion.
enum Order: String, CaseIterable {
  case byObject, byKey, byArrival

  var view: YapDatabaseView {
    let sorting: YapDatabaseViewSorting =
      switch self {
      case .byObject: .withObjectBlock { _, _, _, _, left, _, _, right in order(left, right) }
      case .byKey:
        .withKeyBlock { _, _, _, left, _, right in
          left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        }
      case .byArrival: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }
      }
    return YapDatabaseView(grouping: .withKeyBlock { _, _, _ in "all" }, sorting: sorting, versionTag: rawValue)
  }
}

/// Measures processor time of this thread. It excludes waits, and other processes on the machine affect it least.
func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}

func quartiles(_ values: [Double]) -> (low: Double, median: Double, high: Double) {
  let sorted = values.sorted()
  return (sorted[sorted.count / 4], sorted[sorted.count / 2], sorted[sorted.count * 3 / 4])
}

func rounded(_ value: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", value) }

/// Returns the bytes of resident memory of the process.
func residentBytes() -> Int {
  let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
}

let rows = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 100_000 : 100_000
let rounds = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 9 : 9
let folder = NSTemporaryDirectory() + "yap-views-" + UUID().uuidString
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }
let options = {
  var options = YapDatabaseOptions()
  options.synchronous = .off
  options.defaultObjectCodec = .bytes
  return options
}()

func fill(_ name: String) throws -> YapDatabase {
  let database = try YapDatabase(path: "\(folder)/\(name).sqlite", options: options)
  var random = Random(state: 1)
  let connection = try database.newConnection()
  for _ in 0..<max(rows / 10_000, 1) {
    try connection.readWrite { transaction in
      for _ in 0..<min(rows, 10_000) {
        try transaction.setObject(random.value(), forKey: random.key(), inCollection: "c")
      }
    }
  }
  return database
}

/// Returns the nanoseconds of one insert, for `inserts` inserts in transactions of `size`.
func insert(_ connection: YapDatabaseConnection, _ random: inout Random, inserts: Int, size: Int) throws -> Double {
  let values = (0..<inserts).map { _ in (random.key(), random.value()) }
  return try nanoseconds {
    for start in stride(from: 0, to: inserts, by: size) {
      try connection.readWrite { transaction in
        for (key, value) in values[start..<start + size] {
          try transaction.setObject(value, forKey: key, inCollection: "c")
        }
      }
    }
  } / Double(inserts)
}

print("\(rows) rows, \(rounds) rounds")
let plain = try fill("plain")
var viewed: [Order: YapDatabase] = [:]
for kind in Order.allCases {
  let database = try fill(kind.rawValue)
  let before = residentBytes()
  let time = try nanoseconds { try database.register(kind.view, withName: "view") }
  let memory = residentBytes() - before
  print("population \(kind): \(rounded(time / 1e6, 1)) ms, \(rounded(time / Double(rows), 0)) ns a row")
  print("resident memory grew by \(rounded(Double(memory) / Double(rows), 1)) bytes a row")
  try database.close()
  let again = try YapDatabase(path: database.path, options: options)
  let loading = try nanoseconds { try again.register(kind.view, withName: "view") }
  print("loading \(kind): \(rounded(loading / 1e6, 1)) ms, \(rounded(loading / Double(rows), 0)) ns a row")
  viewed[kind] = again
}

for size in [1, 100] {
  var times: [Order: [Double]] = [:]
  var plainTimes: [Double] = []
  let without = try plain.newConnection()
  let with = try viewed.mapValues { try $0.newConnection() }
  for round in 0..<rounds {
    let seed = UInt64(round * 1_000 + size)
    var random = Random(state: seed)
    plainTimes.append(try insert(without, &random, inserts: 1_000, size: size))
    for kind in Order.allCases {
      guard let connection = with[kind] else { continue }
      var random = Random(state: seed)
      times[kind, default: []].append(try insert(connection, &random, inserts: 1_000, size: size))
    }
  }
  print("insert, \(size) a transaction, no view: \(rounded(quartiles(plainTimes).median / 1e3)) us")
  for kind in Order.allCases {
    let found = times[kind] ?? []
    let ratio = quartiles(zip(found, plainTimes).map { $0 / $1 })
    print(
      "insert, \(size) a transaction, view \(kind): \(rounded(quartiles(found).median / 1e3)) us,",
      "\(rounded(ratio.median)) times (\(rounded(ratio.low))–\(rounded(ratio.high)))"
    )
  }
}

if let database = viewed[.byObject] {
  let writer = try database.newConnection()
  let ui = try database.newConnection()
  let keys = try ui.read { try $0.allKeys(inCollection: "c") }
  let mappings = YapDatabaseViewMappings(groups: ["all"], view: "view")
  try ui.beginLongLivedReadTransaction()
  try ui.read { try mappings.update(with: $0) }
  var random = Random(state: 77)
  for size in [7_000, 100] {
    var changing: [Double] = []
    for _ in 0..<rounds {
      for start in stride(from: 0, to: 7_000, by: size) {
        try writer.readWrite { transaction in
          for place in start..<start + size {
            let key = keys[(place * 13) % keys.count]
            try transaction.setObject(random.value(), forKey: key, inCollection: "c")
          }
        }
      }
      let modifications = try ui.beginLongLivedReadTransaction()
      try ui.read { transaction in
        guard let view = try transaction.ext("view") as? YapDatabaseViewTransaction else { return }
        changing.append(try nanoseconds { _ = try view.changes(for: modifications, with: mappings) })
      }
    }
    let time = quartiles(changing)
    let spread = "(\(rounded(time.low / 1e6, 1))–\(rounded(time.high / 1e6, 1)))"
    print("row changes of 7000 updates in \(7_000 / size) commits: \(rounded(time.median / 1e6, 1)) ms", spread)
  }
  try ui.read { transaction in
    guard let view = try transaction.ext("view") as? YapDatabaseViewTransaction else { return }
    let count = try view.numberOfItems(inGroup: "all")
    for (name, span) in [("20 rows again and again", 20), ("random rows", count)] {
      let time = try nanoseconds {
        for _ in 0..<20_000 {
          _ = try view.object(atIndex: Int(random.next() % UInt64(span)), inGroup: "all")
        }
      }
      print("object(atIndex:inGroup:), \(name): \(rounded(time / 20_000 / 1e3)) us")
    }
    let time = try nanoseconds {
      for place in 0..<20_000 { _ = try view.position(forKey: keys[(place * 7) % keys.count], inCollection: "c") }
    }
    print("position(forKey:): \(rounded(time / 20_000 / 1e3)) us")
  }
}
