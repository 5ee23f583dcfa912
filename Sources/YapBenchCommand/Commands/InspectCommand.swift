internal import ArgumentParser
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import WALInspection

struct InspectCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows the WAL of a database, its readers and the holders of its locks.",
    discussion: """
      Works on any SQLite database in WAL mode, also while other processes use it: \
      it reads the files and the kernel's table of locks, takes no lock and writes \
      nothing. It shows how many frames a checkpoint could copy now, which readers \
      limit that, and how much the first open after a crash would read.

      Examples:
        yapbench inspect messages.sqlite

        One line per second, until Ctrl-C:
        yapbench inspect --watch messages.sqlite

        Ten inspections, 100 ms apart, each as one JSON object on a line:
        yapbench inspect --json --every 100ms --count 10 messages.sqlite
      """
  )

  @Argument(help: ArgumentHelp("A database file.", valueName: "database"), completion: .file())
  var database: PathArgument

  @Flag(help: "Repeats the inspection every second, or at the interval of --every.")
  var watch = false

  @Option(help: ArgumentHelp("The time between two inspections. Implies --watch.", valueName: "duration"))
  var every: DurationArgument?

  @Option(help: ArgumentHelp("Ends after this many inspections. Implies --watch.", valueName: "n"))
  var count: Int?

  @Flag(help: "Writes all figures as JSON, one object per line.")
  var json = false

  var isWatching: Bool { watch || every != nil || count != nil }

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be 1 or more, not \(count)") }
    if every?.nanoseconds == 0 { throw ValidationError("--every must be more than 0") }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    var inspector = WALInspector(path: database.text)
    let count = isWatching ? count : 1
    var last: (report: WALReport, at: UInt64)?
    var due = MonotonicClock.now
    for number in 1...(count ?? .max) {
      let report = try inspector.inspect { MonotonicClock.now }
      let now = MonotonicClock.now
      context.output.write(try text(report, since: last.map { ($0.report, now - $0.at) }))
      last = (report, now)
      if number == count || context.interruption.isRaised { break }
      due = max(due + (every?.nanoseconds ?? 1_000_000_000), MonotonicClock.now)
      MonotonicClock.sleep(until: due)
    }
    return ExitStatus.passed.rawValue
  }

  private func text(_ report: WALReport, since last: (report: WALReport, nanoseconds: UInt64)?) throws -> String {
    if json { return String(decoding: try StableJSON.line(report), as: UTF8.self) }
    guard isWatching else { return InspectionText.page(report).joined(separator: "\n") + "\n" }
    let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: true))
    return time + "  " + InspectionText.line(report, since: last) + "\n"
  }
}

/// A duration such as `250ms`, written as in scenarios.
struct DurationArgument {
  /// The duration as it was written.
  let text: String
  let nanoseconds: UInt64
}

extension DurationArgument: ExpressibleByArgument {
  init?(argument: String) {
    guard let nanoseconds = try? Scalars.durationOrZero.parse(argument) else { return nil }
    self.init(text: argument, nanoseconds: nanoseconds)
  }

  var defaultValueDescription: String { text }
}
