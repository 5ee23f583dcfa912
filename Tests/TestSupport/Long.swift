internal import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// Marks tests that take long and that `./run-tests.sh` skips without `--all`. It sets YAP_SKIP_LONG_TESTS; all other
  /// commands run them.
  package static var long: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["YAP_SKIP_LONG_TESTS"] == nil,
      "takes long: ./run-tests.sh --all runs it"
    )
  }
}
