/// A change of one value, as `--set path=value` asks for it.
public struct ScenarioOverride: Sendable, Equatable {
  /// The file that diagnostics of an override name.
  public static let file = "--set"

  /// Keys with points between them, such as `phases.stall.for`. In a list of mappings an element goes by its `name`, in
  /// any list by its index from 0.
  public var path: String
  /// Read as YAML.
  public var value: String

  /// As `--set` takes it.
  public var text: String { "\(path)=\(value)" }

  public init(path: String, value: String) {
    self.path = path
    self.value = value
  }
}
