internal import ThreadingPrimitives

/// Finds the transactions of one worker that waited: for a processor, or for anything, such as a disk. It belongs to
/// the worker's thread.
struct DisturbanceWatch {
  /// The waits in shorter transactions are not looked for, because reading them would take 1 % of the transaction's
  /// time. A later, longer transaction gets them.
  static let shortestNanoseconds: UInt64 = 100_000
  /// The thread's figures are read one after the other, so a shorter sleep may be an error of the measurement.
  private static let shortestSleepNanoseconds: UInt64 = 10_000

  /// The times of a transaction without waits; nil without such waits, and without a delay by earlier ones.
  struct Undisturbed {
    /// The times without waits for a processor.
    var withoutProcessorWaits: UndisturbedPace.Times?
    /// The times without waits of any kind: for a processor, for a disk, and for other workers. Only processor time is
    /// left.
    var withoutWaits: UndisturbedPace.Times?
  }

  /// Waits of a worker, in nanoseconds.
  struct Waits {
    var forProcessors: UInt64 = 0
    var ofAnyKind: UInt64 = 0

    static func += (left: inout Self, right: Self) {
      left.forProcessors += right.forProcessors
      left.ofAnyKind += right.ofAnyKind
    }
  }

  /// The waits so far, also between transactions while the worker had work.
  private(set) var waits = Waits()
  private let process: ProcessDelay
  /// nil until the worker begins.
  private var delay: ThreadDelay?
  private var paceWithoutProcessorWaits = UndisturbedPace()
  private var paceWithoutWaits = UndisturbedPace()
  /// Whether the worker would be ahead without the waits so far.
  private var isBehind = false
  /// This thread's delay when it was read last.
  private var lastDelay: UInt64?
  /// The delay of the process's other threads when it was read last, and a constant.
  private var lastOfOthers: UInt64 = 0
  /// The moment since when the thread has always had work, with its processor time and its delay then. Time that was
  /// neither of them is sleep in transactions.
  private var busySince: (time: UInt64, processor: UInt64, delay: UInt64) = (0, 0, 0)

  /// - Parameter process: The waits of the process's threads.
  init(_ process: ProcessDelay) { self.process = process }

  /// Counts the waits from now on. Called on the worker's thread.
  mutating func begin() {
    delay = ThreadDelay()
    lastDelay = delay?.nanoseconds
    if let now = lastDelay { lastOfOthers = process.nanosecondsAtRefresh &- now }
    endIdleTime()
  }

  /// Leaves out the sleep until now, for which the worker had no work.
  mutating func endIdleTime() {
    guard lastDelay != nil, let now = delay?.nanoseconds else { return }
    busySince = (MonotonicClock.now, ThreadFigures.cpuNanoseconds(), now)
  }

  /// Whether the kernel does not report the thread's waits.
  var isBlind: Bool { lastDelay == nil }

  /// Whether a transaction of this length must be added.
  @inline(__always)
  func mustAdd(_ nanoseconds: UInt64) -> Bool { nanoseconds >= Self.shortestNanoseconds || isBehind }

  /// - Parameter laneWait: The transaction's waits for lanes of the engine.
  mutating func add(due: UInt64, start: UInt64, end: UInt64, laneWait: UInt64) -> Undisturbed {
    guard let before = lastDelay, let now = delay?.nanoseconds else { return Undisturbed() }
    let own = now - min(now, before)
    lastDelay = now
    let slept = sleep(until: end, delay: now)
    // A sleep may also be a wait for another lock than a lane's, such as the kernel's of the process's memory map.
    let blocked = max(laneWait, slept)
    let waited = own + min(blocked, delayOfOthers(whileBlockedFor: blocked, ownDelay: now))
    let waitedInAnyWay = max(waited, own + slept)
    waits += Waits(forProcessors: waited, ofAnyKind: waitedInAnyWay)
    defer { isBehind = paceWithoutProcessorWaits.isBehind || paceWithoutWaits.isBehind }
    return Undisturbed(
      withoutProcessorWaits: paceWithoutProcessorWaits.add(due: due, start: start, end: end, waited: waited),
      withoutWaits: paceWithoutWaits.add(due: due, start: start, end: end, waited: waitedInAnyWay)
    )
  }

  /// Adds the waits since the last transaction that was added. Called on the worker's thread.
  mutating func end() {
    guard let before = lastDelay, let now = delay?.nanoseconds else { return }
    let own = now - min(now, before)
    lastDelay = now
    waits += Waits(forProcessors: own, ofAnyKind: own + sleep(until: MonotonicClock.now, delay: now))
  }

  /// Returns the time for which other threads of the process waited for a processor since their delay was read last.
  private mutating func delayOfOthers(whileBlockedFor blocked: UInt64, ownDelay: UInt64) -> UInt64 {
    guard blocked > 0, let all = process.nanoseconds(ifWorth: blocked) else { return 0 }
    let ofOthers = all &- ownDelay
    // The sum of all threads may become smaller by the last waits of a thread that has ended.
    let passed = Int64(bitPattern: ofOthers &- lastOfOthers)
    guard passed > 0 else { return 0 }
    lastOfOthers = ofOthers
    return UInt64(passed)
  }

  /// Returns the time since the last call for which the thread slept although it had work.
  private mutating func sleep(until end: UInt64, delay: UInt64) -> UInt64 {
    let processor = ThreadFigures.cpuNanoseconds()
    let awake = processor - busySince.processor + delay - min(delay, busySince.delay)
    let passed = end - min(end, busySince.time)
    busySince = (end, processor, delay)
    let slept = passed - min(passed, awake)
    return slept >= Self.shortestSleepNanoseconds ? slept : 0
  }
}
