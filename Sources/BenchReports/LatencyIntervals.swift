internal import BenchResults
internal import Foundation
internal import HarnessPrimitives
internal import LatencyMetrics

/// The times of each actor's transactions in each second of a run, from its log of latencies: response times of loads
/// with a schedule, and service times of closed loads.
struct LatencyIntervals {
  /// The durations that ended in one span of time.
  struct Interval {
    /// In seconds since the run's first phase began.
    var start: Double
    var end: Double
    var p50Nanoseconds: UInt64
    var p99Nanoseconds: UInt64
    /// The counts by the logarithm of the duration, in steps of `stepsPerDecade`; the shortest durations first.
    var counts: [(step: Int, count: Int)]
  }

  struct Actor {
    var name: String
    var kind: TimeKind
    /// In the order of the log.
    var intervals: [Interval] = []
  }

  static let stepsPerDecade = 30
  /// Further actors are not read.
  static let mostActors = 8

  var actors: [Actor]
  /// The number of actors that were not read.
  var actorsLeftOut: Int

  /// The duration at the lower end of a step, in seconds.
  static func seconds(atStep step: Double) -> Double { pow(10, step / Double(stepsPerDecade) - 9) }

  // MARK: Reading

  /// Reads the log of a scenario's runs.
  /// - Returns: The intervals of each run, in the order of the runs; a failure if the file is unreadable or damaged.
  static func read(_ path: String, of result: ScenarioResult) -> Result<[LatencyIntervals], ReportError> {
    var reading = Reading(result)
    return Result { () throws(ReportError) in
      try forEachLine(of: path, orElse: "Repeat the run for a report with heat maps.") {
        try reading.add($1, number: $0)
      }
      return reading.runs
    }
  }

  /// Calls `body` with the number, from 1, and the bytes of each line that ends in a line feed.
  /// - Throws: the `ReportError` of `body`; one with `remedy` for any other error, and if the file cannot be read.
  static func forEachLine(
    of path: String,
    orElse remedy: String,
    _ body: (Int, ArraySlice<UInt8>) throws -> Void
  ) throws(ReportError) {
    do { try forEachLine(of: RegularFile(path: path), body) } catch let error as ReportError { throw error } catch {
      let problem = (error as? FileProblem)?.explanation ?? "\(error)"
      throw ReportError(path, problem, remedy: remedy)
    }
  }

  private static func forEachLine(of file: RegularFile, _ body: (Int, ArraySlice<UInt8>) throws -> Void) throws {
    var (offset, number) = (0, 0)
    var rest: [UInt8] = []
    while true {
      let part = try file.read(at: offset, count: 1 << 20)
      if part.isEmpty { return }
      offset += part.count
      rest += part
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        number += 1
        try body(number, rest[start..<end])
        start = end + 1
      }
      rest.removeFirst(start)
      guard rest.count < mostLineBytes else { throw LineError(number: number + 1, problem: "it is too long") }
    }
  }

  private static let mostLineBytes = 64 << 20

  private struct LineError: Error, CustomStringConvertible {
    var number: Int
    var problem: String
    var description: String { "line \(number) cannot be read: \(problem)" }
  }

  /// The intervals that were read so far, and the tags whose lines are read.
  private struct Reading {
    /// The run and the actor whose durations a tag marks.
    private struct Owner {
      var run: Int
      var actor: Int
      /// The start of the first span of the tag, in the time of the run.
      var firstNanoseconds: UInt64
    }

    private(set) var runs: [LatencyIntervals] = []
    private var owners: [[UInt8]: Owner] = [:]
    /// The histogram of the last interval of each actor of each run.
    private var lastHistograms: [[LatencyHistogram]] = []
    /// The time of the log at which the first phase of each run began.
    private var begins: [Int: Double] = [:]

    init(_ result: ScenarioResult) {
      for (index, run) in result.runs.enumerated() {
        let names = run.phases.flatMap { $0.actors.map(\.name) }.withoutDuplicates
        let shown = Array(names.prefix(mostActors))
        let tag = result.tag(of: run)
        var own = LatencyIntervals(actors: [], actorsLeftOut: names.count - shown.count)
        for (number, name) in shown.enumerated() {
          let kind: TimeKind = run.isClosedLoad(actor: name) ? .service : .response
          own.actors.append(Actor(name: name, kind: kind))
          for phase in run.phases {
            guard let first = phase.actor(name)?.intervals[kind]?.first(where: { $0.count > 0 }) else { continue }
            let text = tag.text(phase: phase.name, actor: name, operation: OperationResult.transaction, kind: kind)
            owners[Array(text.utf8)] = Owner(run: index, actor: number, firstNanoseconds: first.startNanoseconds)
          }
        }
        runs.append(own)
        lastHistograms.append(own.actors.map { _ in LatencyHistogram() })
      }
    }

    /// Adds the durations of a line, if it has a tag that is shown.
    mutating func add(_ bytes: ArraySlice<UInt8>, number: Int) throws {
      // Most lines have other tags, so the tag is compared before the line becomes a text.
      let start = bytes.startIndex + 4
      guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), comma > start,
        let owner = owners[Array(bytes[start..<comma])]
      else { return }
      do {
        guard let line = try HistogramLog.Line(String(decoding: bytes, as: UTF8.self)[...]) else { return }
        try add(line, of: owner)
      } catch {
        throw LineError(number: number, problem: "\(error)")
      }
    }

    /// A second may have several lines, such as one of the arrivals that did not begin. They become one interval.
    private mutating func add(_ line: HistogramLog.Line, of owner: Owner) throws {
      let begin = begins[owner.run] ?? Double(line.startNanoseconds) - Double(owner.firstNanoseconds)
      begins[owner.run] = begin
      let (start, end) = (Double(line.startNanoseconds) - begin, Double(line.endNanoseconds) - begin)
      var histogram = try line.histogram
      let last = lastHistograms[owner.run][owner.actor]
      let isSame = runs[owner.run].actors[owner.actor].intervals.last?.start == start / 1e9
      if isSame, last.digits == histogram.digits {
        histogram.add(last)
        runs[owner.run].actors[owner.actor].intervals.removeLast()
      }
      lastHistograms[owner.run][owner.actor] = histogram
      runs[owner.run].actors[owner.actor].intervals.append(Interval(start: start / 1e9, end: end / 1e9, histogram))
    }
  }
}

extension LatencyIntervals.Interval {
  init(start: Double, end: Double, _ histogram: LatencyHistogram) {
    var counts: [(step: Int, count: Int)] = []
    for (nanoseconds, count) in histogram.recorded {
      let steps = log10(Double(nanoseconds)) * Double(LatencyIntervals.stepsPerDecade)
      let step = Int(saturating: steps.rounded(.down))
      if let last = counts.last, last.step == step {
        counts[counts.count - 1].count = [last.count, count].saturatingSum()
      } else {
        counts.append((step, count))
      }
    }
    self.init(
      start: start,
      end: end,
      p50Nanoseconds: histogram.value(atPercentile: 50),
      p99Nanoseconds: histogram.value(atPercentile: 99),
      counts: counts
    )
  }
}
