import Glibc
import Synchronization
import Testing

@testable import YapBenchCommand

struct SignalWatchTests {
  @Test func `The first signal interrupts, an echo of it is ignored, and the second one ends`() {
    let log = Log()
    let watch = SignalWatch(onFirst: { log.note("first") }, onSecond: { log.note("second") })
    watch.received(SIGINT, at: 1_000)
    watch.received(SIGTERM, at: 1_000 + SignalWatch.echoNanoseconds - 1)
    #expect(log.notes == ["first"])
    watch.received(SIGINT, at: 1_000 + SignalWatch.echoNanoseconds)
    #expect(log.notes == ["first", "second"])
  }

  @Test func `SIGQUIT ends immediately`() {
    let log = Log()
    let watch = SignalWatch(onFirst: { log.note("first") }, onSecond: { log.note("second") })
    watch.received(SIGQUIT, at: 1_000)
    #expect(log.notes == ["second"])
  }

  @Test func `SIGHUP and SIGQUIT are watched for unless they were ignored when the program was started`() {
    let before = [signal(SIGHUP, SIG_IGN), signal(SIGQUIT, SIG_IGN)]
    #expect(SignalWatch.watched == [SIGINT, SIGTERM])
    signal(SIGHUP, SIG_DFL)
    signal(SIGQUIT, SIG_DFL)
    #expect(SignalWatch.watched == [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    signal(SIGHUP, before[0])
    signal(SIGQUIT, before[1])
  }

  private final class Log: Sendable {
    private let kept = Mutex<[String]>([])
    var notes: [String] { kept.withLock { $0 } }
    func note(_ text: String) { kept.withLock { $0.append(text) } }
  }
}
