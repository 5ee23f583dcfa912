/// Durations in nanoseconds, from 1 ns to 1 h, with a precision of 1 to 5 significant digits.
///
/// With 3 digits a value is off by at most 0.1 %; `minimum` and `maximum` are exact. Percentiles of several histograms
/// are computed from their sum, never averaged.
///
/// The memory depends on the range of the recorded durations: 512 buckets share a page of 4 KiB (with 5 digits 4,096
/// buckets share 32 KiB), and an empty page takes 8 bytes. With 3 digits, durations within a factor of 1,000 take 80
/// KiB. A histogram in which every page is in use takes 8 KiB with 1 digit, 36 KiB with 2, 264 KiB with 3, 3.6 MiB with
/// 4 and 26 MiB with 5.
public struct LatencyHistogram: Sendable {
  /// One hour. Longer durations are recorded as one hour.
  public static let highestNanoseconds: UInt64 = 3_600_000_000_000

  /// The supported numbers of significant decimal digits.
  public static let supportedDigits = 1...5

  let layout: BucketLayout
  /// The counts of each page; a page without counts is empty. There are no pages until a duration is recorded.
  private var pages: [[UInt64]] = []
  public private(set) var count = 0
  private var lowest = UInt64.max
  private var highest: UInt64 = 0

  /// - Parameter digits: Significant decimal digits, 1 to 5.
  public init(digits: Int = 3) {
    layout = BucketLayout(digits: digits)
  }

  /// Returns the memory in bytes of a histogram whose durations fill a range of a factor of 4,096.
  public static func usualBytes(digits: Int) -> Int {
    let layout = BucketLayout(digits: digits)
    let pages = min((12 << layout.magnitude) >> layout.pageShift + 1, layout.pageCount)
    return pages * layout.pageBytes + layout.pageCount * MemoryLayout<Int>.stride
  }

  public var digits: Int { layout.digits }
  public var isEmpty: Bool { count == 0 }
  /// The shortest recorded duration in nanoseconds. `minimum`, `maximum` and `mean` are 0 if the histogram is empty.
  public var minimum: UInt64 { isEmpty ? 0 : lowest }
  public var maximum: UInt64 { highest }

  /// The mean of the buckets' middles in nanoseconds, clamped to the range of the recorded durations.
  public var mean: Double {
    guard !isEmpty else { return 0 }
    var sum = 0.0
    forEachBucket { sum += layout.middle(ofBucket: $0) * Double($1) }
    return min(max(sum / Double(count), Double(minimum)), Double(maximum))
  }

  /// Returns the duration, in nanoseconds, that `percentile` per cent of the recorded durations do not exceed.
  /// - Parameter percentile: 0 to 100.
  public func value(atPercentile percentile: Double) -> UInt64 {
    guard !isEmpty, percentile > 0 else { return minimum }
    guard percentile < 100 else { return maximum }
    // `nextDown` prevents a rounding error from leading into the next bucket.
    let rank = max((percentile.nextDown * Double(count) / 100).rounded(.up), 1)
    var passed: UInt64 = 0
    for (number, page) in pages.enumerated() {
      for (offset, count) in page.enumerated() where count > 0 {
        passed += count
        if Double(passed) >= rank {
          let durations = layout.durations(ofBucket: number << layout.pageShift + offset)
          return max(min(durations.upperBound, maximum), minimum)
        }
      }
    }
    return maximum
  }

  /// Records a duration.
  /// - Parameter count: How many times it is recorded, 0 or more.
  public mutating func record(_ nanoseconds: UInt64, count: Int = 1) {
    guard count > 0 else { return }
    let duration = min(max(nanoseconds, 1), Self.highestNanoseconds)
    let index = layout.index(of: duration)
    let page = index >> layout.pageShift
    makePage(page)
    pages[page][index & (layout.countsPerPage - 1)] += UInt64(count)
    self.count += count
    lowest = min(lowest, duration)
    highest = max(highest, duration)
  }

  /// Returns all durations that belong to the same bucket as this one.
  public func equivalentDurations(to nanoseconds: UInt64) -> ClosedRange<UInt64> {
    let duration = min(max(nanoseconds, 1), Self.highestNanoseconds)
    return layout.durations(ofBucket: layout.index(of: duration))
  }

  /// Adds the durations of another histogram, which must have the same number of digits.
  public mutating func add(_ other: LatencyHistogram) {
    guard !other.isEmpty else { return }
    precondition(digits == other.digits, "Histograms of \(digits) and \(other.digits) digits have different buckets.")
    makeDirectory()
    for (number, page) in other.pages.enumerated() where !page.isEmpty {
      if pages[number].isEmpty {
        // Both histograms share the memory of the page until one of the two changes.
        pages[number] = page
      } else {
        page.withUnsafeBufferPointer { add($0, toPage: number) }
      }
    }
    include(count: other.count, from: other.lowest, to: other.highest)
  }

  /// Removes durations that this histogram contains. `minimum` and `maximum` become those of the remaining buckets.
  public mutating func remove(_ other: LatencyHistogram) {
    precondition(digits == other.digits, "Histograms of \(digits) and \(other.digits) digits have different buckets.")
    let (before, others) = (self, other)
    self = LatencyHistogram(digits: digits)
    var removed: [Int: Int] = [:]
    others.forEachBucket { removed[$0] = $1 }
    before.forEachBucket { bucket, count in
      let durations = layout.durations(ofBucket: bucket)
      record(min(durations.upperBound, before.maximum), count: count - min(count, removed[bucket] ?? 0))
    }
    if !isEmpty { lowest = max(layout.durations(ofBucket: layout.index(of: lowest)).lowerBound, before.minimum) }
  }

  public mutating func reset() {
    self = LatencyHistogram(digits: digits)
  }

  /// The recorded durations and their counts, shortest first. Each is represented by its bucket's highest value.
  public var recorded: [(nanoseconds: UInt64, count: Int)] {
    var pairs: [(nanoseconds: UInt64, count: Int)] = []
    forEachBucket { pairs.append((layout.durations(ofBucket: $0).upperBound, $1)) }
    return pairs
  }

  /// Calls `body` for every bucket that is not empty, shortest durations first.
  func forEachBucket(_ body: (_ index: Int, _ count: Int) -> Void) {
    for (number, page) in pages.enumerated() {
      for (offset, count) in page.enumerated() where count > 0 {
        body(number << layout.pageShift + offset, Int(count))
      }
    }
  }

  private mutating func makeDirectory() {
    if pages.isEmpty { pages = Array(repeating: [], count: layout.pageCount) }
  }

  private mutating func makePage(_ number: Int) {
    makeDirectory()
    if pages[number].isEmpty { pages[number] = Array(repeating: 0, count: layout.countsPerPage) }
  }
}

/// The methods with which a recorder adds its durations.
extension LatencyHistogram {
  /// - Parameter counts: The counts of a whole page. `include` must be called with their sum as well.
  mutating func add(_ counts: UnsafeBufferPointer<UInt64>, toPage number: Int) {
    makePage(number)
    pages[number].withUnsafeMutableBufferPointer { own in
      for index in own.indices { own[index] &+= counts[index] }
    }
  }

  /// Updates the number, the minimum and the maximum for durations whose counts were added to pages.
  mutating func include(count added: Int, from shortest: UInt64, to longest: UInt64) {
    count += added
    lowest = min(lowest, shortest)
    highest = max(highest, longest)
  }
}

/// The coded form: the digits, and the values and counts of all buckets that are not empty. A decoded histogram returns
/// the same results as the original.
extension LatencyHistogram: Codable {
  private enum CodingKeys: String, CodingKey {
    case digits, values, counts
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func damaged(_ key: CodingKeys, _ problem: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: problem)
    }
    let digits = try container.decode(Int.self, forKey: .digits)
    guard Self.supportedDigits.contains(digits) else {
      throw damaged(.digits, "expected from 1 to 5 significant digits, found \(digits)")
    }
    self.init(digits: digits)
    let values = try container.decode([UInt64].self, forKey: .values)
    let counts = try container.decode([UInt64].self, forKey: .counts)
    guard values.count == counts.count else {
      let found = "found \(values.count) values and \(counts.count) counts"
      throw damaged(.counts, "\(found); expected the same number of both")
    }
    var total: UInt64 = 0
    for (value, count) in zip(values, counts) where count > 0 {
      let (sum, overflow) = total.addingReportingOverflow(count)
      guard !overflow, sum <= Int.max else {
        throw damaged(.counts, "the counts add up to more than \(Int.max)")
      }
      total = sum
      record(value, count: Int(count))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(digits, forKey: .digits)
    let pairs = recordedWithExactEnds
    try container.encode(pairs.map(\.nanoseconds), forKey: .values)
    try container.encode(pairs.map(\.count), forKey: .counts)
  }

  /// The pairs with the exact smallest and largest duration, so that both survive encoding. A bucket with both is
  /// split.
  private var recordedWithExactEnds: [(nanoseconds: UInt64, count: Int)] {
    var pairs = recorded
    guard let last = pairs.indices.last else { return [] }
    pairs[last].nanoseconds = maximum
    guard minimum < pairs[0].nanoseconds else { return pairs }
    if last == 0 {
      pairs[0].count -= 1
      pairs.insert((minimum, 1), at: 0)
    } else {
      pairs[0].nanoseconds = minimum
    }
    return pairs
  }
}
