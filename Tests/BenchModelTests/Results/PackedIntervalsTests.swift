import Foundation
import Testing

@testable import BenchModel

struct PackedIntervalsTests {
  private struct Document: Codable {
    @PackedIntervals var intervals: [IntervalResult]
    @PackedIntervals var waits: [WaitIntervalResult]
  }

  private struct Lists: Codable {
    var intervals: [IntervalResult]
    var waits: [WaitIntervalResult]
  }

  /// No figure is missing, and no two of an interval are the same.
  private func lists(_ count: Int) -> Lists {
    var intervals: [IntervalResult] = []
    for number in 0..<count {
      for kind in TimeKind.allCases {
        let p50 = UInt64(40 + number * 31 % 17 + kind.rawValue.utf8.count)
        let interval = IntervalResult(
          phase: number < 2 ? "warm" : "run",
          actor: "actor-\(number % 3)",
          kind: kind,
          startNanoseconds: UInt64(number) * 1_000 + 1,
          endNanoseconds: UInt64(number) * 1_000 + 1_001,
          count: number * 7 % 5 + 3,
          p50Nanoseconds: p50,
          p99Nanoseconds: p50 * 2,
          maximumNanoseconds: p50 * 3
        )
        intervals.append(interval)
      }
    }
    var waits: [WaitIntervalResult] = []
    for number in 0..<count {
      let isLane = number % 2 == 0
      var interval = WaitIntervalResult(
        metric: isLane ? "lane.wait" : "notification.lag",
        phase: "run",
        actor: isLane ? "actor-\(number % 3)" : nil
      )
      interval.endNanoseconds = UInt64(number) * 1_000 + 500
      interval.count = number + 3
      interval.p50Nanoseconds = UInt64(number * 31 % 17 + 40)
      interval.p99Nanoseconds = interval.p50Nanoseconds * 2
      interval.maximumNanoseconds = interval.p50Nanoseconds * 3
      waits.append(interval)
    }
    return Lists(intervals: intervals, waits: waits)
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func packed(_ lists: Lists) throws -> String {
    try json(Document(intervals: lists.intervals, waits: lists.waits))
  }

  private func unpacked(_ text: String) throws -> Lists {
    let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    return Lists(intervals: document.intervals, waits: document.waits)
  }

  @Test(arguments: [0, 1, 300]) func `Nothing of an interval is lost`(count: Int) throws {
    let lists = lists(count)
    try #expect(json(unpacked(packed(lists))) == json(lists))
  }

  /// Whoever adds a figure to an interval adds it to its packing, or hears of it here.
  @Test func `Every figure is a column`() throws {
    let lists = lists(2)
    let packing = (IntervalResult.packing.names, WaitIntervalResult.packing.names)
    #expect(Set(Mirror(reflecting: lists.intervals[0]).children.compactMap(\.label)) == Set(packing.0))
    #expect(Set(Mirror(reflecting: lists.waits[0]).children.compactMap(\.label)) == Set(packing.1))
  }

  @Test func `Lists, as older results have them, are read`() throws {
    let lists = lists(5)
    try #expect(json(unpacked(json(lists))) == json(lists))
  }

  @Test func `Columns take a small part of the room that a list takes`() throws {
    let lists = lists(1_000)
    try #expect(packed(lists).utf8.count * 5 < json(lists).utf8.count)
  }

  @Test(arguments: [
    "0*10000001", "0*-1", "0*0", "0*1", "x", "", "-*6", "1 2 3 4 5 6 7", "0* 1", "9*9*9", "99999999999999999999 1",
  ])
  func `Columns that are none are refused, and nothing traps`(column: String) throws {
    let good = try packed(lists(2))
    for name in ["count", "kind", "startNanoseconds", "p99Nanoseconds"] {
      let whole = try #require(good.range(of: "\"\(name)\":\"[^\"]*\"", options: .regularExpression))
      let bad = good.replacingCharacters(in: whole, with: "\"\(name)\":\"\(column)\"")
      #expect(throws: DecodingError.self, "\(name)") { try unpacked(bad) }
    }
  }

  @Test func `A count, a text or a column that cannot be is refused`() throws {
    let good = try packed(lists(2))
    for (right, wrong) in [
      ("\"count\":6", "\"count\":-1"), ("\"count\":6", "\"count\":7"), ("\"count\":6", "\"count\":99999999999"),
      ("\"service\"", "\"sevrice\""), ("\"texts\":[", "\"texts\":[],\"others\":["),
      ("\"startNanoseconds\":", "\"beginNanoseconds\":"),
    ] {
      #expect(good.contains(right))
      #expect(throws: DecodingError.self, "\(wrong)") { try unpacked(good.replacing(right, with: wrong)) }
    }
  }
}
