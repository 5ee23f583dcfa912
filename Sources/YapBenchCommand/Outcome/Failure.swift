internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Foundation
internal import SystemFiles

/// The message and the exit code of an error.
struct Failure {
  var text: String
  var status: ExitStatus

  init(_ error: any Error) {
    switch error {
    case let error as ReportError:
      text = "\(error.path): \(error.problem). \(error.remedy)"
      status = .cannotCreateOutput
    case let error as ScenarioDiagnostics:
      text = error.description
      status = .invalidScenario
    case let error as DescriptorShortage:
      text = error.description
      status = .systemLimit
    case let error as ComparisonError:
      text = error.description
      status =
        switch error.kind {
        case .usage: .usage
        case .missing: .missingInput
        case .output: .cannotCreateOutput
        case .failure: .incomparable
        case .crash: .internalError
        }
    case let error as RevisionNotBuilt:
      text = error.description
      status = .incomparable
    case let error as FileProblem:
      text = error.description
      // A file that cannot be opened for writing, such as a lock.
      status = if case .system = error.reason { .cannotCreateOutput } else { .missingInput }
    case let error as CocoaError:
      text = error.localizedDescription
      status = .internalError
    default:
      text = "\(error)"
      status = .internalError
    }
  }
}
