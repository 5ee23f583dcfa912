import BenchResults
import BenchScenario
import Foundation
import LatencyMetrics
import Synchronization
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("The log of latencies") struct LatencyLogTests {
  private static let second = ActorTimings.intervalNanoseconds

  /// The lines of a log in order.
  private final class Lines: Sendable {
    private let written = Mutex("")

    var all: [String] { written.withLock { $0 }.split(separator: "\n").map(String.init) }
    var log: LatencyLog { LatencyLog(base: MonotonicClock.now) { text in self.written.withLock { $0 += text } } }

    /// The sums of the lines' counts by tag.
    var sums: [String: EncodedCounts] {
      all.reduce(into: [:]) { sums, line in
        let fields = line.split(separator: ",").map(String.init)
        guard fields.count == 5, fields[0].hasPrefix("Tag="), let counts = EncodedCounts(base64: fields[4]) else {
          Issue.record("no line of a log: \(line.prefix(200))")
          return
        }
        let tag = String(fields[0].dropFirst(4))
        sums[tag] = sums[tag].map { $0 + counts } ?? counts
      }
    }
  }

  /// Every latency of the result, by its tag.
  private func expected(_ result: ScenarioResult) -> [String: EncodedCounts] {
    var expected: [String: EncodedCounts] = [:]
    for run in result.runs {
      for latency in run.latencies where !latency.histogram.isEmpty {
        expected[result.tag(of: run).text(of: latency)] = EncodedCounts(base64: latency.histogram.base64)
      }
    }
    return expected
  }

  @Test(
    "merged over time has exactly the counts of the result for each tag",
    arguments: ["wal/stalled-reader", "policy/three-policies", "selftest/null"]
  )
  func sums(scenario: String) throws {
    let path = Repository.root.appendingPathComponent("Scenarios/\(scenario).yaml").path
    let lines = Lines()
    let result = try RunningScenarios.runAll(ScenarioLoader.load(path: path), isSmoke: true, latencyLog: lines.log)
    let expected = expected(result)
    #expect(!expected.isEmpty)
    let sums = lines.sums
    #expect(Set(sums.keys) == Set(expected.keys))
    for (tag, counts) in expected { #expect(sums[tag] == counts, "\(tag)") }
  }

  @Test("has events, and arrivals that never began")
  func eventsAndUnbegun() throws {
    let text = """
      format: 1
      name: log
      summary: A writer that an event holds up until the end.
      seed: 7
      engine: {driver: yap}
      dataset:
        items: {rows: 100, value: {size: 100B}}
      connections:
        one: {}
      actors:
        write:
          connection: one
          collection: items
          operations: {set: 1}
          load: {rate: 200/s}
      phases:
        - name: run
          for: 2500ms
          actors: [write]
          events:
            - {at: 200ms, do: checkpoint(passive)}
            - {at: 1s, do: stall(write 10s)}
      """
    let lines = Lines()
    let loaded = try ScenarioLoader.load(text: text, file: "log.yaml")
    let result = try RunningScenarios.runAll(loaded, latencyLog: lines.log)
    let sums = lines.sums
    #expect(sums == expected(result))
    #expect(sums["run/events/checkpoint/service"] != nil)
    let generator = try #require(result.first.phases[0].actors.first)
    // The stall lasts beyond the end, so arrivals during it never began.
    #expect(sums["run/write/transaction/wait"]?.counts.values.reduce(0, +) == generator.dueArrivals)
    #expect(sums["run/write/transaction/service"]?.counts.values.reduce(0, +) == generator.begunArrivals)
  }

  @Test func `arrivals that never began are in the phase's last second, as waits and responses`() {
    let timings = ActorTimings(actor: "actor", slots: TimingSlots(Fixture.actor(load: Fixture.open)), digits: 3)
    var collection = TimingCollection(timings, threads: 1, digits: 3)
    var closed: [TimingCollection.ClosedSecond] = []
    collection.addUnbegun(Fixture.histogram(700, 800))
    collection.collect(start: 50, end: 50 + 2 * Self.second, onClosed: { closed.append($0) })
    #expect(closed.map(\.start) == [50 + Self.second])
    #expect(closed.map(\.end) == [50 + 2 * Self.second])
    let phase = Fixture.phaseResult(to: 50 + 2 * Self.second)
    let counted = closed.flatMap { phase.latencies(of: $0.operations, actor: "actor") }.filter { !$0.histogram.isEmpty }
    #expect(counted.map(\.operation) == ["transaction", "transaction"])
    #expect(counted.map(\.kind) == [.wait, .response])
    #expect(counted.map(\.histogram.count) == [2, 2])
  }

  @Test func `a delayed worker keeps at most a few seconds open, and its late times are kept`() {
    let timings = ActorTimings(actor: "actor", slots: TimingSlots(Fixture.actor(load: Fixture.open)), digits: 3)
    var collection = TimingCollection(timings, threads: 2, digits: 3)
    var closed: [TimingCollection.ClosedSecond] = []
    func handOver(_ thread: Int, _ interval: Int) {
      let recorder = timings.newRecorder()
      recorder.record(UInt64(1_000 + interval), in: 1)
      _ = timings.handOver(recorder, thread: thread, interval: interval)
      collection.collect(start: 0, end: nil, onClosed: { closed.append($0) })
    }
    let seconds = TimingCollection.longestOpen + 5
    for interval in 0..<seconds { handOver(0, interval) }
    // The other thread is still in its first second, but only some seconds wait for it.
    #expect(closed.map { $0.start / Self.second } == (0..<5).map(UInt64.init))
    handOver(1, 0)
    #expect(closed.last?.start == 0)
    collection.collect(start: 0, end: UInt64(seconds) * Self.second, onClosed: { closed.append($0) })
    let services = closed.flatMap(\.operations).filter { $0.name == "get" }.compactMap { $0.times[.service] }
    #expect(services.reduce(0) { $0 + $1.count } == seconds + 1)
    #expect(services.reduce(0) { $0 + $1.count } == collection.totals[1].count)
  }

  @Test func `the relay writes everything in order before it ends, with times from the log's base`()
    throws
  {
    let lines = Lines()
    let log = lines.log
    let relay = try LatencyLogRelay(log, LatencyTag(variant: "a=1,b c", repetition: 2))
    let operations = [
      OperationResult(name: "get", times: [.service: Fixture.histogram(5)]),
      OperationResult(name: "set", times: [.service: LatencyHistogram()]),
    ]
    let latencies = Fixture.phaseResult("p", to: 1).latencies(of: operations, actor: "a")
    for number in 0..<200 {
      let from = log.base + UInt64(number) * Self.second
      relay.append(from: from, to: from + Self.second, latencies)
    }
    relay.finish()
    let starts = lines.all.map { $0.split(separator: ",").prefix(3).joined(separator: ",") }
    #expect(starts == (0..<200).map { "Tag=a=1%2Cb%20c/2/p/a/get/service,\($0).000,1.000" })
  }

  @Test(arguments: [
    ("get", "get"), ("multiGet(20)", "multiGet(20)"), ("a,b", "a%2Cb"), ("a b", "a%20b"), ("a/b", "a%2Fb"),
    ("%2C", "%252C"), ("\u{202E}\n\u{1B}", "%E2%80%AE%0A%1B"), ("ä+\"<", "%C3%A4%2B%22%3C"),
  ])
  func `a tag is one word, whatever the name contains`(name: String, word: String) {
    let tag = LatencyTag(variant: nil, repetition: nil)
    #expect(tag.text(phase: name, actor: name, operation: name, kind: .wait) == "\(word)/\(word)/\(word)/wait")
  }
}
