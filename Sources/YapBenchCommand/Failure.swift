internal import BenchComparison
internal import BenchDrivers
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import EngineBenchmarks
internal import EngineStress
internal import Foundation
internal import HarnessPrimitives
internal import ScenarioStress
internal import WALInspection

/// The message and the exit code with which an error ends a command.
struct Failure: Error {
  var text: String
  var status: ExitStatus

  init(_ text: String, _ status: ExitStatus) {
    self.text = text
    self.status = status
  }

  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as ReportError:
      self.init("\(error.path): \(error.problem). \(error.remedy)", .cannotCreateOutput)
    case let error as CocoaError: self.init(error.localizedDescription, .internalError)
    default: self.init("\(error)", Self.status(of: error))
    }
  }

  private static func status(of error: any Error) -> ExitStatus {
    switch error {
    case is ScenarioDiagnostics: return .invalidScenario
    case is DescriptorShortage: return .systemLimit
    case is MissingTestPoints: return .usage
    case is RevisionNotBuilt: return .incomparable
    case is ProgramNotStarted, is GitProblem: return .missingInput
    case is JournalProblem, is CampaignMismatch: return .cannotCreateOutput
    case let error as BenchmarkError: return error.code == .wrongAnswer ? .invariantViolated : .internalError
    case let error as InspectionError: return error.kind == .notDatabase ? .invalidScenario : .missingInput
    case let error as FileProblem:
      // Files that cannot be read are reported by other errors, so a system call has failed for a file to be written.
      return if case .system = error.reason { .cannotCreateOutput } else { .missingInput }
    case let error as StoreProblem:
      switch error.kind {
      case .missing, .inUse: return .missingInput
      case .invalid: return .invalidScenario
      case .system: return .cannotCreateOutput
      }
    case let error as ComparisonError:
      switch error.kind {
      case .usage: return .usage
      case .missing: return .missingInput
      case .invalid: return .invalidScenario
      case .output: return .cannotCreateOutput
      case .failure: return .incomparable
      case .crash: return .internalError
      }
    default: return .internalError
    }
  }
}

extension ExitStatus {
  /// Returns the most severe of several statuses; `passed` for an empty array.
  static func mostSevere(_ statuses: [ExitStatus]) -> ExitStatus {
    statuses.max { $0.severity < $1.severity } ?? .passed
  }

  /// A report that could not be written is as severe as a failure of the program, because the run has no record. A
  /// status that `mostSevereFirst` omits is more severe only than `passed`.
  private var severity: Int {
    if self == .passed { return -1 }
    let ranked = self == .cannotCreateOutput ? .internalError : self
    let order = Self.mostSevereFirst
    return order.firstIndex(of: ranked).map { order.count - $0 } ?? 0
  }
}
