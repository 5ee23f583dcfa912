internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Measures trials in rounds. In each round every contestant has one turn, in a new random order.
struct RoundRunner {
  let rounds: Int
  /// The approximate duration of a turn of a contestant whose batch is calibrated.
  let batchNanoseconds: UInt64
  let seed: UInt64
  let interruption: StopFlag
  let probe: SyncProbe

  /// - Throws: Errors of contestants and of the probe; `BenchmarkInterrupted` before a turn if the session was stopped.
  func run(_ trial: Trial) throws -> TrialRecord {
    var record = TrialRecord(
      trial: trial.name,
      unit: trial.unit,
      figures: [:],
      operations: [:],
      queuedShares: [],
      probeNanoseconds: []
    )
    let nanoseconds = trial.longTurns?.nanoseconds ?? batchNanoseconds
    let rounds = min(rounds, trial.longTurns?.mostRounds ?? rounds)
    for contestant in trial.contestants {
      try throwIfInterrupted()
      record.operations[contestant.name] = try contestant.calibrated(to: nanoseconds)
    }
    for order in Self.orders(of: trial.contestants.count, rounds: rounds, seed: seed, trial: trial.name) {
      let begun = MonotonicClock.now
      let queuedBefore = RunQueue.nanosecondsOfThisThread()
      for index in order {
        try throwIfInterrupted()
        let contestant = trial.contestants[index]
        let figure = try contestant.measure(record.operations[contestant.name] ?? 1)
        record.figures[contestant.name, default: []].append(figure)
      }
      let queued = RunQueue.nanosecondsOfThisThread() - queuedBefore
      record.queuedShares.append(Double(queued) / Double(max(MonotonicClock.now - begun, 1)))
      if trial.waitsForDisk { record.probeNanoseconds += try probe.measure() }
    }
    return record
  }

  func throwIfInterrupted() throws {
    if interruption.isRaised { throw BenchmarkInterrupted() }
  }

  /// The order of the turns in each round. It depends on the seed and the trial's name, not on other trials.
  static func orders(of count: Int, rounds: Int, seed: UInt64, trial: String) -> [[Int]] {
    var generator = RandomStream(seed: seed, trial)
    return (0..<rounds).map { _ in (0..<count).shuffled(using: &generator) }
  }
}

/// The error that ends a trial after the session's interruption was raised.
struct BenchmarkInterrupted: Error {}

/// Measures the time for which a thread was ready to run but had no core.
enum RunQueue {
  /// Runs `body` and measures its duration without the time for which the calling thread waited for a core. Running
  /// time and waits for other threads or the disk remain. On a shared machine most of the excluded time is caused by
  /// other processes.
  static func timed<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> (answer: Answer, nanoseconds: UInt64) {
    let waitedBefore = nanosecondsOfThisThread()
    let begun = MonotonicClock.now
    let answer = try CountedCode.run(body)
    let took = MonotonicClock.now - begun
    let waited = nanosecondsOfThisThread() - waitedBefore
    return (answer, net(took: took, waited: waited))
  }

  /// Subtracts the wait. Part of the wait may lie just outside the timed part, so at least 1/1,000 of the duration is
  /// kept.
  static func net(took: UInt64, waited: UInt64) -> UInt64 { max(took - min(waited, took), took / 1_000) }

  /// The time for which the calling thread has waited for a core since its start; 0 if the kernel does not report it.
  static func nanosecondsOfThisThread() -> UInt64 {
    let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    let text = String(unsafeUninitializedCapacity: 128) { max(Glibc.read(file, $0.baseAddress, $0.count), 0) }
    return waited(in: text)
  }

  /// Returns the second number of the line, the time waiting; 0 if there is none. The first number is the time running.
  static func waited(in line: String) -> UInt64 {
    let numbers = line.split { $0 == " " || $0 == "\n" }
    return numbers.count > 1 ? UInt64(numbers[1]) ?? 0 : 0
  }
}

/// Appends pages to a file and syncs each: about the part of a commit with FULL that the disk takes at this moment.
struct SyncProbe {
  /// The path of the file, in a folder on the measured disk. Each measurement creates the file and removes it.
  let path: String
  var appends = 20

  /// - Returns: The nanoseconds of each append with its sync.
  func measure() throws -> [UInt64] {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failed("opened") }
    defer {
      close(file)
      unlink(path)
    }
    let page = [UInt8](repeating: 0x5a, count: 4_096)
    return try (0..<appends).map { _ in
      let begun = MonotonicClock.now
      guard write(file, page, page.count) == page.count else { throw failed("written") }
      guard fdatasync(file) == 0 else { throw failed("synced") }
      return MonotonicClock.now - begun
    }
  }

  private func failed(_ what: String) -> BenchmarkError {
    BenchmarkError(.failed, "\(path) could not be \(what): \(String(cString: strerror(errno)))")
  }
}
