import BenchScenario
import Testing
import YapEngine

@testable import BenchDrivers

/// `BenchScenario` does not import the engine, so it states the defaults that scenarios show.
@Suite("Settings that a scenario leaves out") struct EngineDefaultsTests {
  @Test func `are the engine's own options`() {
    let (scenario, own) = (YapDatabaseOptions(EngineSettings(of: .yap)), YapDatabaseOptions())
    #expect(scenario.synchronous == own.synchronous)
    #expect(scenario.pageSize == own.pageSize && scenario.mmapSize == own.mmapSize)
    #expect(scenario.usesEngineVFS == own.usesEngineVFS)
    #expect(scenario.journalSizeLimit == own.journalSizeLimit)
    #expect(scenario.aggressiveCheckpointAt == own.aggressiveCheckpointAt)
    #expect(scenario.checkpointing == own.checkpointing)
    #expect(scenario.busyTimeoutNanoseconds == own.busyTimeoutNanoseconds)
    #expect(scenario.defaultObjectPolicy == own.defaultObjectPolicy)
    #expect(scenario.defaultMetadataPolicy == own.defaultMetadataPolicy)
    #expect(CachePolicySetting.usualOfObjects.map(YapDatabasePolicy.init) == own.defaultObjectPolicy)
  }

  @Test(arguments: [
    ("journalSizeLimit", YapDatabaseOptions().journalSizeLimit.map { "\($0 >> 20)MiB" }),
    ("aggressiveCheckpointAt", "\(YapDatabaseOptions().aggressiveCheckpointAt >> 20)MiB"),
    ("busyTimeout", "\(YapDatabaseOptions().busyTimeoutNanoseconds / 1_000_000_000)s"),
    ("mmapSize", "\(YapDatabaseOptions().mmapSize)B"), ("engineVFS", "\(YapDatabaseOptions().usesEngineVFS)"),
    ("defaultObjectPolicy", "\(YapDatabaseOptions().defaultObjectPolicy)"),
    ("defaultMetadataPolicy", "\(YapDatabaseOptions().defaultMetadataPolicy)"),
  ])
  func `are stated in the reference`(key: String, value: String?) throws {
    let row = ScenarioReference.text.split(separator: "\n").first { $0.hasPrefix("| `\(key)` |") }
    try #expect(#require(row).hasSuffix("Of `yap`: `\(#require(value))`. |"))
  }

  @Test func `are the engine's own settings of connections`() {
    let (scenario, own) = (ConnectionSettings.plain("one"), YapDatabaseConnectionDefaults())
    #expect(scenario.objectCache == own.objectCacheEnabled && scenario.metadataCache == own.metadataCacheEnabled)
    #expect(scenario.objectCacheLimit == own.objectCacheLimit)
    #expect(scenario.metadataCacheLimit == own.metadataCacheLimit)
    #expect(scenario.objectPolicy == nil && own.objectPolicy == nil)
    #expect(scenario.metadataPolicy == nil && own.metadataPolicy == nil)
    #expect(scenario.permitted == nil && own.permittedTransactions == .any)
  }

  @Test func `make the drivers of SQLite wait for locks as long as the engine`() {
    #expect(EngineSettings(of: .sqlite).sqliteBusyNanoseconds == YapDatabaseOptions().busyTimeoutNanoseconds)
  }
}
