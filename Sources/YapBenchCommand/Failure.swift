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
    case let error as Failure:
      self = error
    case let error as ReportError:
      self.init("\(error.path): \(error.problem). \(error.remedy)", .cannotCreateOutput)
    case let error as ScenarioDiagnostics:
      self.init(error.description, .invalidScenario)
    case let error as DescriptorShortage:
      self.init(error.description, .systemLimit)
    case let error as ComparisonError:
      self.init(error.description, Self.status(of: error.kind))
    case let error as RevisionNotBuilt:
      self.init(error.description, .incomparable)
    case let error as BenchmarkError:
      self.init(error.description, error.code == .wrongAnswer ? .invariantViolated : .internalError)
    case let error as InspectionError:
      self.init(error.description, error.kind == .notDatabase ? .invalidScenario : .missingInput)
    case let error as FileProblem:
      // Files that cannot be read are reported by other errors, so a system call has failed for a file to be written.
      let isSystem = if case .system = error.reason { true } else { false }
      self.init(error.description, isSystem ? .cannotCreateOutput : .missingInput)
    case let error as ProgramNotStarted:
      self.init(error.description, .missingInput)
    case let error as GitProblem:
      self.init(error.description, .missingInput)
    case let error as JournalProblem:
      self.init(error.description, .cannotCreateOutput)
    case let error as StoreProblem:
      self.init(error.description, Self.status(of: error.kind))
    case let error as CampaignMismatch:
      self.init(error.description, .cannotCreateOutput)
    case is MissingTestPoints:
      self.init("\(error)", .usage)
    case let error as CocoaError:
      self.init(error.localizedDescription, .internalError)
    default:
      self.init("\(error)", .internalError)
    }
  }

  private static func status(of kind: StoreProblem.Kind) -> ExitStatus {
    switch kind {
    case .missing, .inUse: .missingInput
    case .invalid: .invalidScenario
    case .system: .cannotCreateOutput
    }
  }

  private static func status(of kind: ComparisonError.Kind) -> ExitStatus {
    switch kind {
    case .usage: .usage
    case .missing: .missingInput
    case .output: .cannotCreateOutput
    case .failure: .incomparable
    case .crash: .internalError
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
