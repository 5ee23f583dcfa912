internal import BenchDrivers
internal import Glibc

/// How this program was built, which decides what it may measure.
struct BuildKind: Sendable {
  var isDebug: Bool
  /// Named points and planted bugs are compiled into the engine.
  var hasTestPoints: Bool

  static var current: BuildKind {
    #if DEBUG
      BuildKind(isDebug: true, hasTestPoints: refusesTestPoints)
    #else
      BuildKind(isDebug: false, hasTestPoints: refusesTestPoints)
    #endif
  }

  /// Whether the engine has test points that must not run. Tests of this program's `run`, which build with test points,
  /// set YAP_RUN_WITH_TEST_POINTS; no other build reads it.
  private static var refusesTestPoints: Bool {
    DriverBuild.hasTestPoints && getenv("YAP_RUN_WITH_TEST_POINTS") == nil
  }

  var name: String { (isDebug ? "debug" : "release") + (hasTestPoints ? " with test points" : "") }

  /// Why a run is refused, and what to do about it; nil where it is not.
  func refusal(isSmoke: Bool) -> String? {
    if hasTestPoints {
      return "this build has test points in its engine, so what it runs is not the engine; "
        + "build without them: swift build -c release"
    }
    if isDebug, !isSmoke {
      return "a debug build records no run, because its figures would be those of unoptimised code; "
        + "build with: swift build -c release (or add --smoke, which measures nothing)"
    }
    return nil
  }

  /// Why the engine's benchmarks are refused; nil where they are not.
  var benchRefusal: String? {
    if hasTestPoints { return refusal(isSmoke: true) }
    return isDebug ? "a debug build measures unoptimised code; build with: swift build -c release" : nil
  }
}
