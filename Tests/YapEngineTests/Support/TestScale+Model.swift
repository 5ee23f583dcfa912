import Foundation
import TestSupport

extension TestScale {
  /// The number of operations of all random histories together: the environment variable YAP_MODEL_OPERATIONS.
  static let modelOperations =
    ProcessInfo.processInfo.environment["YAP_MODEL_OPERATIONS"].flatMap { Int($0) } ?? count(500_000)
}
