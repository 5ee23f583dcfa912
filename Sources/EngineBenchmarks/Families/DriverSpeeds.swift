/// D1 and further: the cost of the harness's drivers. Each is compared with a loop in C that does the same work with
/// the same library over its own file with the same rows, one row per transaction, on one thread.
enum DriverSpeeds: BenchmarkFamily {
  static let targets = Set(MeasuredDriver.allCases.map(\.target))

  static func run(on bench: Workbench) throws {
    for kind in MeasuredDriver.allCases where kind.isBuilt && bench.isRequested(kind.target) {
      let (driver, loop) = try bench.driver(kind)
      let stores: [any RowStore] = [driver, loop]
      let reads = bench.dataset.order("uncached")
      try bench.measure(
        "\(driver.name): \(DriverWork.read.text)",
        stores.map { .reads($0, reads, together: false) },
        answers: [ClaimID(kind.target, DriverWork.read.rawValue): kind.speed]
      )
      let writes = bench.dataset.order("written")
      try bench.measure(
        "\(driver.name): \(DriverWork.write.text)",
        stores.map { .updates($0, writes) },
        answers: [ClaimID(kind.target, DriverWork.write.rawValue): kind.speed]
      )
    }
  }
}
