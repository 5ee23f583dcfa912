internal import BenchModel
internal import Foundation
internal import ThreadingPrimitives
internal import WALInspection

/// Looks at a database's WAL, once or again and again.
struct InspectAction {
  enum Format {
    case page, line, json
  }

  var path: String
  /// nil: until the program is ended.
  var looks: Int?
  var intervalNanoseconds: UInt64
  var format: Format

  func perform(in context: CommandContext) -> Int32 {
    var inspector = WALInspector(path: path)
    var last: (report: WALReport, at: UInt64)?
    var due = MonotonicClock.now
    for look in 1...(looks ?? .max) {
      do {
        let report = try inspector.inspect { MonotonicClock.now }
        let now = MonotonicClock.now
        context.output.write(try text(report, since: last.map { ($0.report, now - $0.at) }))
        last = (report, now)
      } catch let error as InspectionError {
        context.errors.error(error.description)
        return (error.kind == .notDatabase ? ExitStatus.invalidScenario : .missingInput).rawValue
      } catch {
        context.errors.error("\(error)")
        return ExitStatus.internalError.rawValue
      }
      if look == looks || context.interruption.isRaised { break }
      due = max(due + intervalNanoseconds, MonotonicClock.now)
      MonotonicClock.sleep(until: due)
    }
    return ExitStatus.allHeld.rawValue
  }

  private func text(_ report: WALReport, since last: (report: WALReport, nanoseconds: UInt64)?) throws -> String {
    switch format {
    case .page: return InspectionText.page(report).joined(separator: "\n") + "\n"
    case .line:
      let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: true))
      return time + "  " + InspectionText.line(report, since: last) + "\n"
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
    }
  }
}
