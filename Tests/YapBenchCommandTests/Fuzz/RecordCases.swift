import BenchReports
import BenchResults
import BenchScenario
import Foundation
import HarnessPrimitives

@testable import YapBenchCommand

/// Damaged records through `report` and `export`.
struct RecordCases: FuzzSubject.Cases {
  private let seed: UInt64
  private let folder: String
  private let bases: [JSONText]
  private let trial = Trial()

  init(seed: UInt64, folder: String) throws {
    self.seed = seed
    self.folder = folder
    bases = try FuzzRecord.bases()
  }

  /// The record of this case.
  func bytes(_ number: Int) -> [UInt8] {
    var mutation = RecordMutation(RandomStream(seed: seed, "\(number)"))
    return mutation.mutated(bases[number % bases.count])
  }

  func run(_ number: Int) throws -> String? {
    let run = folder + "/run"
    try? FileManager.default.removeItem(atPath: run)
    try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
    try Data(bytes(number)).write(to: URL(fileURLWithPath: run + "/run.json"))
    let format = ExportFormat.allCases[number % ExportFormat.allCases.count].rawValue
    let report = try finding(["report", run, "--out", run + "/drawn"])
    let export = try finding(["export", run, "--format", format, "--out", run + "/exported"])
    return report ?? export
  }

  private func finding(_ arguments: [String]) throws -> String? {
    trial.output.clear()
    trial.errors.clear()
    let code = Program.run(arguments, in: .captured(by: trial))
    let command = arguments.joined(separator: " ")
    if let problem = CommandText.problem(code, trial, documented: [.passed, .invalidScenario]) {
      return "\(command): \(problem)"
    }
    guard code == 0, let target = arguments.last else { return nil }
    return try Self.escapedFiles(below: target).map { "\(command): \($0)" }
  }

  /// A file in which a byte of the record could control a terminal.
  private static func escapedFiles(below path: String) throws -> String? {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    for name in names.isEmpty ? [""] : names {
      guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
      if data.contains(0x1B) { return "expected no escape byte, found one in \(name)" }
    }
    return nil
  }
}

/// Requirements on every command for any input.
enum CommandText {
  /// - Returns: The fault of an exit code or of the printed text; nil if there is none.
  static func problem(_ code: Int32, _ trial: Trial, documented: [BenchResults.ExitStatus]) -> String? {
    let (output, errors) = (trial.output.text, trial.errors.text)
    guard documented.contains(where: { $0.rawValue == code }) else {
      return "expected one of the exit codes \(documented.map(\.rawValue)), found \(code): \(errors.prefix(300))"
    }
    if code != 0, errors.isEmpty { return "it exits \(code) without a reason" }
    let isInert = (output + errors).unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7f }
    return isInert ? nil : "it prints a control character"
  }
}
