@testable import BenchResults

/// The runs of two engines, of which the second takes twice as long for each transaction and lacks a part.
enum EngineRuns {
  static let result: ScenarioResult = {
    var result = PolicyRuns.result(labels: ["yap", "sqlite"], repetitions: 7)
    for index in result.variants.indices {
      result.variants[index].settings[0].path = EngineComparison.path
      result.variants[index].settings[0].key = "driver"
    }
    for index in result.runs.indices {
      let driver = result.runs[index].variant == "policy=yap" ? "yap" : "sqlite"
      result.runs[index].driver = driver
      result.runs[index].engine = EngineConfiguration(library: "Library of \(driver)", options: [.init("pages", "9")])
      for sample in result.runs[index].samples.indices {
        // The first engine needs more room in each repetition, and the second does not report its storage in one.
        let isKnown = driver == "yap" || result.runs[index].repetition > 1
        result.runs[index].samples[sample].storageBytes = isKnown ? (driver == "yap" ? 4 << 20 : 2 << 20) : nil
      }
    }
    let exclusion = EngineComparison.Exclusion(
      driver: "sqlite",
      subject: "invariant \"cacheCoherence\"",
      reason: "it has no caches of objects"
    )
    result.engines = EngineComparison(drivers: ["yap", "sqlite"], exclusions: [exclusion])
    return result
  }()
}
