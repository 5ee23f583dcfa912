import BenchResults
import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("The relay of progress") struct ProgressRelayTests {
  private final class Listener: Sendable {
    let told = Guarded<[String]>([])
    let isListening = StartGate()
    let mayGoOn = StartGate()

    /// Holds the relay at the first report.
    func hear(_ progress: RunProgress) {
      told.withLock { $0.append(Self.text(progress)) }
      isListening.open()
      mayGoOn.wait()
    }

    private static func text(_ progress: RunProgress) -> String {
      switch progress {
      case .runBegan(let run): "run \(run.number)"
      case .loading(let collection, let rows, _): "\(collection) \(rows)"
      case .settling(let bytes): "settling \(bytes)"
      case .phaseBegan(let name, _, _, _): "\(name) began"
      case .sampled(let moment): "sample \(moment.elapsedNanoseconds)"
      case .waiting(_, _, let nanoseconds): "waiting \(nanoseconds)"
      case .phaseEnded(let name, _, _, _, _): "\(name) ended"
      case .waitingForQuiet(_, let nanoseconds, _): "quiet \(nanoseconds)"
      case .finishing(let what): what
      }
    }
  }

  private func sample(_ elapsed: UInt64) -> RunProgress {
    .sampled(RunMoment(phase: "run", elapsedNanoseconds: elapsed, transactionsPerSecond: 0))
  }

  @Test func `a blocked listener delays no thread, and misses only transient reports`() throws {
    let listener = Listener()
    let relay = try ProgressRelay { listener.hear($0) }
    relay.report(.loading(collection: "rows", rows: 1, of: 9))
    listener.isListening.wait()
    // The listener is blocked from here on, and each of these calls returns nevertheless.
    for rows in 2...9 { relay.report(.loading(collection: "rows", rows: rows, of: 9)) }
    relay.report(.loading(collection: "others", rows: 1, of: 1))
    for bytes in [300, 200, 100] { relay.report(.settling(walBacklogBytes: bytes)) }
    relay.report(.phaseBegan(name: "run", number: 1, of: 1, plannedNanoseconds: nil))
    for elapsed in 1...1_000 as ClosedRange<UInt64> { relay.report(sample(elapsed)) }
    relay.report(.phaseEnded(name: "run", end: .reached, nanoseconds: 5))
    relay.report(sample(2_000))
    relay.report(.finishing(what: "checking"))
    listener.mayGoOn.open()
    relay.finish()
    #expect(
      listener.told.withLock { $0 } == [
        "rows 1", "rows 9", "others 1", "settling 100", "run began", "sample 1000", "run ended", "sample 2000",
        "checking",
      ]
    )
  }
}
