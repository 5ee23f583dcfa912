import Glibc
import Synchronization
import Testing

@testable import YapBenchCommand

struct SignalWatchTests {
  @Test func `The first signal asks, an echo of it does nothing, and the second one ends`() {
    let log = Log()
    let watch = SignalWatch(onFirst: { log.note("first") }, onSecond: { log.note("second") })
    watch.received(at: 1_000)
    watch.received(at: 1_000 + SignalWatch.echoNanoseconds - 1)
    #expect(log.notes == ["first"])
    watch.received(at: 1_000 + SignalWatch.echoNanoseconds)
    #expect(log.notes == ["first", "second"])
  }

  @Test func `SIGHUP is watched for unless whoever started the program has it ignored`() {
    let before = signal(SIGHUP, SIG_IGN)
    #expect(SignalWatch.watched == [SIGINT, SIGTERM])
    signal(SIGHUP, SIG_DFL)
    #expect(SignalWatch.watched == [SIGINT, SIGTERM, SIGHUP])
    signal(SIGHUP, before)
  }

  private final class Log: Sendable {
    private let kept = Mutex<[String]>([])
    var notes: [String] { kept.withLock { $0 } }
    func note(_ text: String) { kept.withLock { $0.append(text) } }
  }
}
