/// The durations that one thread measured in one interval: a histogram for each timed operation, called a slot.
///
/// A recorder belongs to one thread at a time, so recording takes no lock. At the end of an interval the thread hands
/// over the whole recorder and continues with another.
///
/// Recording allocates only if a duration is the first of its page: 4 KiB with 1 to 4 digits and 32 KiB with 5. With 3
/// digits a page covers half of a power of two. A reset recorder keeps its pages, so a steady load stops allocating
/// after its first intervals.
// Used only by the owner of the only reference. The handover goes through a lock, which orders the accesses.
public final class LatencyRecorder: @unchecked Sendable {
  private struct Slot {
    var lowest = UInt64.max
    var highest: UInt64 = 0

    var isEmpty: Bool { highest == 0 }
  }

  public let slotCount: Int
  private let layout: BucketLayout
  // Pointers, because an array's access would be checked for exclusivity at each sample.
  private let slots: UnsafeMutablePointer<Slot>
  /// The pages of the first slot, then of the next; nil for a page into which no duration has fallen.
  private let pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>

  /// - Parameters:
  ///   - slotCount: The number of timed operations.
  ///   - digits: The significant digits of the histograms.
  public init(slotCount: Int, digits: Int) {
    self.slotCount = slotCount
    layout = BucketLayout(digits: digits)
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
    pages = .allocate(capacity: slotCount * layout.pageCount)
    pages.initialize(repeating: nil, count: slotCount * layout.pageCount)
  }

  deinit {
    for index in 0..<slotCount * layout.pageCount { pages[index]?.deallocate() }
    pages.deallocate()
    slots.deallocate()
  }

  @inline(__always)
  public func record(_ nanoseconds: UInt64, in slot: Int) {
    let duration = min(max(nanoseconds, 1), LatencyHistogram.highestNanoseconds)
    let bucket = layout.index(of: duration)
    let index = slot &* layout.pageCount &+ bucket &>> layout.pageShift
    let page = pages[index] ?? newPage(index)
    page[bucket & (1 &<< layout.pageShift &- 1)] &+= 1
    if duration < slots[slot].lowest { slots[slot].lowest = duration }
    if duration > slots[slot].highest { slots[slot].highest = duration }
  }

  /// Returns a copy of the durations in one slot.
  public func histogram(in slot: Int) -> LatencyHistogram {
    var histogram = LatencyHistogram(digits: layout.digits)
    guard !slots[slot].isEmpty else { return histogram }
    var count: UInt64 = 0
    for number in 0..<layout.pageCount {
      guard let page = pages[slot * layout.pageCount + number] else { continue }
      let counts = UnsafeBufferPointer(start: page, count: layout.countsPerPage)
      let sum = counts.reduce(0, &+)
      guard sum > 0 else { continue }
      histogram.add(counts, toPage: number)
      count &+= sum
    }
    histogram.include(count: Int(count), from: slots[slot].lowest, to: slots[slot].highest)
    return histogram
  }

  /// Removes all durations, so that the recorder can be used for another interval.
  public func reset() {
    for slot in 0..<slotCount where !slots[slot].isEmpty {
      for index in slot * layout.pageCount..<(slot + 1) * layout.pageCount {
        pages[index]?.update(repeating: 0, count: layout.countsPerPage)
      }
      slots[slot] = Slot()
    }
  }

  @inline(never)
  private func newPage(_ index: Int) -> UnsafeMutablePointer<UInt64> {
    let page = UnsafeMutablePointer<UInt64>.allocate(capacity: layout.countsPerPage)
    page.initialize(repeating: 0, count: layout.countsPerPage)
    pages[index] = page
    return page
  }
}
