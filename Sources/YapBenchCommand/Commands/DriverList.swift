internal import ArgumentParser
internal import BenchScenario

/// An argument of `--driver`: names of drivers with commas between them.
struct DriverList {
  let drivers: [DriverKind]

  init(text: String) throws {
    drivers = try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let driver = DriverKind(rawValue: String(name)) else {
        let names = DriverKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--driver: expected some of \(names), with commas between them, found \"\(name)\"")
      }
      return driver
    }
  }

  /// Returns the drivers of all arguments.
  static func joined(_ lists: [DriverList]) throws -> [DriverKind] {
    let all = lists.flatMap(\.drivers)
    if let twice = all.first(where: { driver in all.count { $0 == driver } > 1 }) {
      throw ValidationError("--driver: the driver \(twice.rawValue) is listed twice; leave one out")
    }
    return all
  }
}
