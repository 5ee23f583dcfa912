internal import BenchResults
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// The use of the machine by other processes.
package struct OthersUse: Sendable, Equatable {
  /// The share of the processors' time, 0 to 1.
  package var processorShare: Double
  /// The use of the database's disk; nil if it is not known.
  package var disk: DiskRate?

  package init(processorShare: Double, disk: DiskRate? = nil) {
    (self.processorShare, self.disk) = (processorShare, disk)
  }

  /// Whether most runs beside them would be invalid.
  var isTooMuch: Bool { takesProcessors || disk?.isTooMuch ?? false }

  private var takesProcessors: Bool { processorShare > Distrust.greatestLostShare }

  /// The part of the use that is too much, such as "97 % of the processors".
  package var text: String {
    let ofDisk = disk.flatMap { $0.isTooMuch ? "the disk with \($0.text)" : nil }
    let ofProcessors = "\(Int(saturating: (processorShare * 100).rounded())) % of the processors"
    guard let ofDisk else { return ofProcessors }
    return takesProcessors ? "\(ofProcessors), and \(ofDisk)" : ofDisk
  }
}

extension OthersUse {
  /// Measures the use by other processes and, of the processors, by other guests of the host.
  /// - Parameter interruption: ends the measurement early.
  static func measured(for nanoseconds: UInt64, folder: String, or interruption: StopFlag) -> OthersUse {
    let (host, ownNanoseconds) = (HostFigures.now(), ProcessFigures.cpuNanoseconds(with: nil))
    let disk = DiskUse(folder: folder)
    let diskBefore = disk?.traffic()
    let begun = MonotonicClock.now
    let end = begun + nanoseconds
    while MonotonicClock.now < end, !interruption.isRaised {
      MonotonicClock.sleep(until: min(end, MonotonicClock.now + 100_000_000))
    }
    let own = ProcessFigures.cpuNanoseconds(with: nil) - ownNanoseconds
    var use = OthersUse(processorShare: HostFigures.now().othersShare(since: host, ownNanoseconds: own))
    if let diskBefore, let diskAfter = disk?.traffic() {
      use.disk = DiskRate(diskAfter - diskBefore, seconds: Double(MonotonicClock.now - begun) / 1e9)
    }
    return use
  }
}

extension HostFigures {
  /// Returns the share of all processors' time that other processes and other guests of the host used, 0 to 1.
  /// - Parameter ownNanoseconds: the processor time of this process since `earlier`.
  func othersShare(since earlier: HostFigures, ownNanoseconds: UInt64) -> Double {
    let total = totalNanoseconds - min(totalNanoseconds, earlier.totalNanoseconds)
    let used = busyNanoseconds + stolenNanoseconds
    let usedEarlier = earlier.busyNanoseconds + earlier.stolenNanoseconds
    guard total > 0 else { return 0 }
    return min(1, max(0, (Double(used) - Double(usedEarlier) - Double(ownNanoseconds)) / Double(total)))
  }
}
