// swift-tools-version: 6.2
import PackageDescription

/// The settings of all Swift targets.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "yapbench",
  products: [
    .library(name: "YapEngine", targets: ["YapEngine"]),
    .executable(name: "yapbench", targets: ["yapbench"]),
  ],
  traits: [
    .trait(name: "Jemalloc", description: "Allocate with jemalloc and report its figures. Off for the sanitizers."),
    .trait(
      name: "TestPoints",
      description: "Named points, pauses and injected failures for the tests. Such a build refuses to record a run."
    ),
    .trait(
      name: "GRDB",
      description: "The driver `grdb`, and GRDB beside the engine in `yapbench bench`. Two minutes more to build."
    ),
    .trait(name: "LMDB", description: "The driver `lmdb`. Needs liblmdb."),
    .trait(name: "RocksDB", description: "The driver `rocksdb`. Needs librocksdb."),
    .default(enabledTraits: ["Jemalloc"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    // Exact, because reports state the version. GRDB is neither fetched nor built without its trait.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    // Layer 0: system libraries, and the C calls that Swift cannot see.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CRocksDB", pkgConfig: "rocksdb", providers: [.apt(["librocksdb-dev"])]),
    .target(name: "CPlatform"),
    .target(name: "CSpawn"),

    // Layer 1
    .target(name: "HarnessPrimitives", dependencies: ["CSpawn"], swiftSettings: strict),
    .target(name: "CommitLedger", swiftSettings: strict),
    .target(name: "SQLiteBinding", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "WALInspection", dependencies: ["HarnessPrimitives"], swiftSettings: strict),
    .target(name: "CRawSQLite", dependencies: ["CSQLite"], path: "Benchmarks/RawSQLite"),
    .target(
      name: "CDriverLoops",
      dependencies: [
        "CSQLite", "CRawSQLite",
        .target(name: "CLMDB", condition: .when(traits: ["LMDB"])),
        .target(name: "CRocksDB", condition: .when(traits: ["RocksDB"])),
      ],
      path: "Benchmarks/DriverLoops",
      cSettings: [.define("LMDB", .when(traits: ["LMDB"])), .define("ROCKSDB", .when(traits: ["RocksDB"]))]
    ),
    .target(name: "CForwardingVFS", dependencies: ["CSQLite"]),
    .target(name: "CCountingVFS", dependencies: ["CSQLite", "CForwardingVFS"]),
    .target(name: "CFaultVFS", dependencies: ["CSQLite", "CForwardingVFS"]),
    .target(name: "CYapVFS", dependencies: ["CSQLite", "CForwardingVFS"]),
    .target(name: "ThreadingPrimitives", dependencies: ["CPlatform"], swiftSettings: strict),
    .target(name: "LatencyMetrics", dependencies: ["CZlib"], swiftSettings: strict),

    // Layer 2
    .target(
      name: "YapEngine",
      dependencies: ["SQLiteBinding", "ThreadingPrimitives", "CPlatform", "CYapVFS"],
      swiftSettings: strict
    ),
    .target(
      name: "BenchResults",
      dependencies: ["LatencyMetrics", "HarnessPrimitives"],
      swiftSettings: strict
    ),

    // Layer 3
    .target(
      name: "BenchScenario",
      dependencies: ["BenchResults", "LatencyMetrics", "HarnessPrimitives", "CYAML"],
      swiftSettings: strict
    ),
    .target(
      name: "BenchReports",
      dependencies: ["BenchResults", "LatencyMetrics", "HarnessPrimitives"],
      swiftSettings: strict
    ),

    .target(
      name: "BenchRegression",
      dependencies: ["BenchResults", "LatencyMetrics", "HarnessPrimitives"],
      swiftSettings: strict
    ),

    // Layer 4
    .target(
      name: "BenchDrivers",
      dependencies: [
        "YapEngine", "SQLiteBinding", "BenchResults", "BenchScenario", "HarnessPrimitives", "ThreadingPrimitives",
        "CCountingVFS",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
        .target(name: "CLMDB", condition: .when(traits: ["LMDB"])),
        .target(name: "CRocksDB", condition: .when(traits: ["RocksDB"])),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "BenchComparison",
      dependencies: [
        "BenchRegression", "BenchResults", "BenchScenario", "HarnessPrimitives", "SQLiteBinding", "ThreadingPrimitives",
      ],
      swiftSettings: strict
    ),

    // Layer 5
    .target(
      name: "BenchRunner",
      dependencies: [
        "BenchDrivers", "BenchResults", "BenchScenario", "CommitLedger", "LatencyMetrics", "HarnessPrimitives",
        "ThreadingPrimitives",
        .target(name: "CJemalloc", condition: .when(traits: ["Jemalloc"])),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "EngineStress",
      dependencies: [
        "BenchDrivers", "YapEngine", "SQLiteBinding", "BenchResults", "CFaultVFS", "CommitLedger", "LatencyMetrics",
        "HarnessPrimitives", "ThreadingPrimitives",
      ],
      swiftSettings: strict
    ),

    // Layer 6
    .target(
      name: "EngineBenchmarks",
      dependencies: [
        "YapEngine", "BenchDrivers", "BenchResults", "BenchRunner", "BenchScenario", "CRawSQLite", "CDriverLoops",
        "LatencyMetrics", "HarnessPrimitives", "ThreadingPrimitives",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "ScenarioStress",
      dependencies: [
        "EngineStress", "BenchRunner", "BenchDrivers", "BenchResults", "BenchScenario", "CommitLedger",
        "HarnessPrimitives", "ThreadingPrimitives", "YapEngine",
      ],
      swiftSettings: strict
    ),

    // Layers 7 and 8
    .target(
      name: "YapBenchCommand",
      dependencies: [
        "BenchRunner", "BenchComparison", "BenchRegression", "BenchReports", "BenchResults", "BenchScenario",
        "BenchDrivers", "EngineBenchmarks", "EngineStress", "ScenarioStress", "CommitLedger",
        "YapEngine", "HarnessPrimitives", "WALInspection",
        "ThreadingPrimitives",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(name: "yapbench", dependencies: ["YapBenchCommand"], swiftSettings: strict),

    // Code that several test targets share; no other target may import it. Only ComparisonFixtures needs BenchResults.
    .target(
      name: "TestSupport",
      dependencies: ["HarnessPrimitives", "ThreadingPrimitives", "CPlatform", "CZlib"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .target(
      name: "ComparisonFixtures",
      dependencies: ["BenchResults"],
      path: "Tests/ComparisonFixtures",
      swiftSettings: strict
    ),
    // A program that YapBenchCommandTests start.
    .executableTarget(
      name: "FailingCases",
      dependencies: ["EngineStress", "BenchResults"],
      path: "Tests/FailingCases",
      swiftSettings: strict
    ),
    .testTarget(
      name: "HarnessPrimitivesTests",
      dependencies: ["HarnessPrimitives", "ThreadingPrimitives", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ThreadingPrimitivesTests",
      dependencies: ["ThreadingPrimitives", "HarnessPrimitives", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "WALInspectionTests",
      dependencies: ["WALInspection", "SQLiteBinding", "HarnessPrimitives", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "LatencyMetricsTests",
      dependencies: [
        "LatencyMetrics", "HarnessPrimitives", "TestSupport",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "YapEngineTests",
      dependencies: ["YapEngine", "SQLiteBinding", "HarnessPrimitives", "ThreadingPrimitives", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(name: "BenchResultsTests", dependencies: ["BenchResults", "LatencyMetrics"], swiftSettings: strict),
    .testTarget(
      name: "BenchScenarioTests",
      dependencies: ["BenchScenario", "BenchResults", "HarnessPrimitives", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "BenchDriversTests",
      dependencies: [
        "BenchDrivers", "BenchResults", "BenchScenario", "YapEngine", "HarnessPrimitives", "ThreadingPrimitives",
        "TestSupport",
        // The program that these tests start.
        "yapbench",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "BenchRunnerTests",
      dependencies: [
        "BenchRunner", "BenchDrivers", "BenchResults", "BenchScenario", "CommitLedger", "LatencyMetrics",
        "HarnessPrimitives", "ThreadingPrimitives",
        "TestSupport",
        // The program that these tests start.
        "yapbench",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "BenchReportsTests",
      dependencies: [
        "BenchReports", "BenchResults", "BenchScenario", "LatencyMetrics", "HarnessPrimitives", "ComparisonFixtures",
        "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "BenchRegressionTests",
      dependencies: [
        "BenchRegression", "BenchResults", "LatencyMetrics", "HarnessPrimitives", "ComparisonFixtures", "TestSupport",
      ],
      // The tests read these files in the source folder.
      exclude: ["Data"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "BenchComparisonTests",
      dependencies: [
        "BenchComparison", "BenchRegression", "BenchReports", "BenchResults", "BenchScenario", "LatencyMetrics",
        "SQLiteBinding", "HarnessPrimitives", "ThreadingPrimitives", "ComparisonFixtures", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "EngineBenchmarksTests",
      dependencies: [
        "EngineBenchmarks", "BenchDrivers", "BenchResults", "HarnessPrimitives", "ThreadingPrimitives", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CommitLedgerTests",
      dependencies: ["CommitLedger", "HarnessPrimitives", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "EngineStressTests",
      dependencies: [
        "EngineStress", "BenchDrivers", "YapEngine", "SQLiteBinding", "BenchResults", "CFaultVFS", "CommitLedger",
        "HarnessPrimitives",
        "ThreadingPrimitives", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ScenarioStressTests",
      dependencies: [
        "ScenarioStress", "EngineStress", "BenchRunner", "BenchDrivers", "BenchResults", "BenchScenario",
        "CommitLedger", "HarnessPrimitives", "ThreadingPrimitives", "YapEngine", "TestSupport",
        // The program that these tests start.
        "yapbench",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "YapBenchCommandTests",
      dependencies: [
        "YapBenchCommand", "BenchRunner", "BenchComparison", "BenchRegression", "BenchReports", "BenchResults",
        "BenchScenario",
        "BenchDrivers", "EngineBenchmarks", "EngineStress", "ScenarioStress", "CommitLedger", "HarnessPrimitives",
        "WALInspection", "ThreadingPrimitives", "YapEngine",
        "SQLiteBinding", "LatencyMetrics", "ComparisonFixtures", "TestSupport",
        // The programs that these tests start.
        "yapbench", "FailingCases",
      ],
      swiftSettings: strict
    ),
    .testTarget(name: "TidyTests", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The environment variable YAP_TEST_TARGETS limits the package to the test targets that it names, and to their
// dependencies, because a sanitizer's build of all targets takes too long.
if let tests = Context.environment["YAP_TEST_TARGETS"] {
  var needed = Set(tests.split(separator: " ").map(String.init))
  // Each target is declared after its dependencies, so one pass from the end finds all dependencies.
  for target in package.targets.reversed() where needed.contains(target.name) {
    for case .targetItem(let name, _) in target.dependencies { needed.insert(name) }
    for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
