/// The engines that `run --driver` runs the same scenario on, and the parts of the scenario that some of them lack.
public struct EngineComparison: Codable, Sendable, Equatable {
  /// A part of the scenario that is left out for one driver, or a whole variant.
  public struct Exclusion: Codable, Sendable, Hashable {
    public var driver: String
    /// The part, such as `option "pageSize"`.
    public var subject: String
    /// The reason, as a clause.
    public var reason: String

    public init(driver: String, subject: String, reason: String) {
      self.driver = driver
      self.subject = subject
      self.reason = reason
    }
  }

  /// The path of the value that varies.
  public static let path = "engine.driver"

  /// The drivers in the order of the command. Others are compared with the first.
  public var drivers: [String]
  /// Each once, in the order of the drivers.
  public var exclusions: [Exclusion]

  public init(drivers: [String], exclusions: [Exclusion] = []) {
    self.drivers = drivers
    self.exclusions = exclusions
  }

  public func exclusions(of driver: String) -> [Exclusion] { exclusions.filter { $0.driver == driver } }
}

extension VariantSetting {
  /// The value of a setting that a driver lacks, so that its variants do not differ in it.
  public static let merged = "–"
}

extension ScenarioResult.Variant {
  /// The driver, if the variants differ in it.
  public var driver: String? { settings.first { $0.path == EngineComparison.path }?.value }
  /// The settings beside the driver.
  public var settingsBesideDriver: [VariantSetting] { settings.filter { $0.path != EngineComparison.path } }
}
