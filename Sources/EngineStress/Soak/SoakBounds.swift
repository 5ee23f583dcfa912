/// The state of the process at one moment of a soak.
package struct SoakSample: Sendable, Equatable {
  package var residentBytes: Int
  /// The number of open file descriptors.
  package var descriptors: Int
  package var threads: Int
}

/// The bounds that the last quarter of a soak must keep, compared with the second quarter. The first quarter is the
/// warm-up.
package enum SoakBounds {
  /// The memory that the last quarter may have beyond the growth of 5 %.
  static let spareBytes = 8 << 20
  /// The threads that the last quarter may have in addition, because the pool of Dispatch grows and shrinks. A leak of
  /// one thread at each opening of the database exceeds it: a soak opens the database at least 8 times.
  static let spareThreads = 2
  /// The fewest samples of a quarter that are compared.
  static let fewestSamples = 8

  /// Returns the exceeded bounds, in words; none if a quarter has too few samples.
  ///
  /// Memory is compared by its 95th percentile. Descriptors and threads are compared by their smallest numbers, because
  /// connections that open and close raise both for moments.
  package static func violations(_ samples: [SoakSample]) -> [String] {
    let size = samples.count / 4
    guard size >= fewestSamples else { return [] }
    let early = samples[size..<(2 * size)]
    let late = samples[(3 * size)..<(4 * size)]
    var violations: [String] = []
    let resident = (percentile(95, early.map(\.residentBytes)), percentile(95, late.map(\.residentBytes)))
    let limit = resident.0 + resident.0 / 20 + spareBytes
    if resident.1 > limit {
      violations.append(
        "resident memory grew from \(resident.0 >> 10) KiB in the second quarter to \(resident.1 >> 10) KiB in the "
          + "last; the limit is \(limit >> 10) KiB"
      )
    }
    for (name, figure, spare) in [
      ("open descriptors", \SoakSample.descriptors, 0), ("threads", \.threads, spareThreads),
    ] {
      let fewest = (early.map { $0[keyPath: figure] }.min() ?? 0, late.map { $0[keyPath: figure] }.min() ?? 0)
      if fewest.1 > fewest.0 + spare {
        violations.append(
          "\(name) grew from at least \(fewest.0) in the second quarter to at least \(fewest.1) in the last"
        )
      }
    }
    return violations
  }

  /// Returns the smallest value that at least `percent` percent of the values do not exceed; 0 without values.
  private static func percentile(_ percent: Int, _ values: [Int]) -> Int {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[max(0, (values.count * percent + 99) / 100 - 1)]
  }
}

extension SoakBounds {
  /// The free pages that the file may have in the last quarter beyond the growth of 5 %.
  static let sparePages = 256

  /// Returns an error if the most free pages of the last quarter exceed the most of the second by more than 5 % and
  /// `sparePages`.
  /// - Parameter pages: The numbers at each closing, in the order of time.
  package static func growthOfFreeList(_ pages: [Int]) -> [String] {
    let size = pages.count / 4
    guard size > 0, let early = pages[size..<(2 * size)].max(), let late = pages[(3 * size)..<(4 * size)].max(),
      late > early + early / 20 + sparePages
    else { return [] }
    return ["the file's free pages grew from \(early) in the second quarter to \(late) in the last"]
  }
}
