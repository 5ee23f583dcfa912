/// A target and the modules that it may import in addition to the system's.
struct TargetRow: Sendable {
  let layer: Int
  let name: String
  let mayImport: [String]

  init(_ layer: Int, _ name: String, _ mayImport: [String] = []) {
    self.layer = layer
    self.name = name
    self.mayImport = mayImport
  }

  /// Modules of the toolchain that every target of the layer may import.
  var systemModules: [String] {
    (layer >= 1 ? ["Synchronization", "Glibc", "FoundationEssentials"] : [])
      + (layer >= 2 ? ["Foundation", "Dispatch"] : [])
  }
}

/// The imports that each target may have. SwiftPM also accepts imports of indirect dependencies; this check does not.
struct ImportTable: Sendable {
  let rows: [TargetRow]

  static let repository = ImportTable(
    rows: belowTheCommand + [
      TargetRow(7, "YapBenchCommand", belowTheCommand.map(\.name) + ["ArgumentParser"]),
      TargetRow(8, "yapbench", ["YapBenchCommand"]),
    ]
  )

  private static let belowTheCommand = [
    TargetRow(0, "CSQLite"),
    TargetRow(0, "CJemalloc"),
    TargetRow(0, "CZlib"),
    TargetRow(0, "CYAML"),
    TargetRow(0, "CLMDB"),
    TargetRow(0, "CRocksDB"),
    TargetRow(0, "CPlatform"),
    TargetRow(1, "SQLiteBinding", ["CSQLite"]),
    TargetRow(1, "CRawSQLite", ["CSQLite"]),
    TargetRow(1, "CDriverLoops", ["CSQLite", "CRawSQLite", "CLMDB", "CRocksDB"]),
    TargetRow(1, "CForwardingVFS", ["CSQLite"]),
    TargetRow(1, "CCountingVFS", ["CSQLite", "CForwardingVFS"]),
    TargetRow(1, "CFaultVFS", ["CSQLite", "CForwardingVFS"]),
    TargetRow(1, "NumericConversion"),
    TargetRow(1, "SeededRandom"),
    TargetRow(1, "SystemFiles"),
    TargetRow(1, "CommitLedger"),
    TargetRow(1, "WALInspection", ["SystemFiles"]),
    TargetRow(1, "ThreadingPrimitives", ["CPlatform"]),
    TargetRow(1, "LatencyMetrics", ["CZlib"]),
    TargetRow(2, "YapEngine", ["SQLiteBinding", "ThreadingPrimitives", "CPlatform"]),
    TargetRow(2, "BenchResults", ["LatencyMetrics", "NumericConversion"]),
    TargetRow(3, "BenchScenario", ["BenchResults", "LatencyMetrics", "NumericConversion", "SystemFiles", "CYAML"]),
    TargetRow(
      4,
      "BenchDrivers",
      [
        "YapEngine", "SQLiteBinding", "BenchResults", "BenchScenario", "SeededRandom", "ThreadingPrimitives",
        "SystemFiles", "CCountingVFS", "GRDB", "CLMDB", "CRocksDB",
      ]
    ),
    TargetRow(3, "BenchReports", ["BenchResults", "LatencyMetrics", "NumericConversion", "SystemFiles"]),
    TargetRow(3, "BenchRegression", ["BenchResults", "LatencyMetrics", "NumericConversion", "SeededRandom"]),
    TargetRow(
      4,
      "BenchComparison",
      [
        "BenchRegression", "BenchResults", "BenchScenario", "NumericConversion", "SQLiteBinding", "SystemFiles",
        "ThreadingPrimitives",
      ]
    ),
    TargetRow(
      5,
      "BenchRunner",
      [
        "BenchDrivers", "BenchResults", "BenchScenario", "CommitLedger", "LatencyMetrics", "NumericConversion",
        "SeededRandom", "SystemFiles", "ThreadingPrimitives", "CJemalloc",
      ]
    ),
    TargetRow(
      5,
      "EngineStress",
      [
        "BenchDrivers", "YapEngine", "SQLiteBinding", "BenchResults", "CFaultVFS", "CommitLedger", "LatencyMetrics",
        "NumericConversion", "SeededRandom", "SystemFiles", "ThreadingPrimitives",
      ]
    ),
    TargetRow(
      6,
      "EngineBenchmarks",
      [
        "YapEngine", "BenchDrivers", "BenchResults", "BenchRunner", "BenchScenario", "CRawSQLite", "CDriverLoops",
        "LatencyMetrics", "NumericConversion", "SeededRandom", "ThreadingPrimitives", "CJemalloc", "GRDB",
      ]
    ),
    TargetRow(
      6,
      "ScenarioStress",
      [
        "EngineStress", "BenchRunner", "BenchDrivers", "BenchResults", "BenchScenario", "CommitLedger",
        "NumericConversion", "SeededRandom", "SystemFiles", "ThreadingPrimitives", "YapEngine",
      ]
    ),
  ]

  /// The code that several test targets share. Only test targets may import it.
  private static let support = [
    TargetRow(2, "TestSupport", ["SeededRandom", "ThreadingPrimitives", "CPlatform", "CZlib"]),
    TargetRow(2, "ComparisonFixtures", ["BenchResults"]),
  ]

  /// The executable target.
  private static let program = "yapbench"

  /// Reference implementations, which only tests use.
  private static let references = ["LatencyMetricsTests": ["Histogram"]]

  subscript(name: String) -> TargetRow? { (rows + Self.support).first { $0.name == name } }

  /// The modules that a target may import. A test may import the target that it is named after, all targets in that
  /// layer or below, and shared code of tests.
  func allowed(for target: String) -> [String]? {
    if let row = self[target] { return row.mayImport + row.systemModules }
    guard target.hasSuffix("Tests") else { return nil }
    let system = ["Testing", "Foundation", "FoundationXML", "Dispatch", "Synchronization", "Glibc"]
    if target == "TidyTests" { return system }
    guard let tested = self[String(target.dropLast("Tests".count))] else { return nil }
    let shared = Self.support.map(\.name) + Self.references[target, default: []]
    return rows.filter { $0.layer <= tested.layer }.map(\.name) + system + shared
  }

  /// Imports that the table does not allow, or that the manifest does not declare.
  func wrongImports(_ files: [SourceFile], _ manifest: [ManifestTarget]) -> [Finding] {
    files.filter { $0.language == .swift }.flatMap { file -> [Finding] in
      guard let target = file.target else { return [] }
      guard let allowed = allowed(for: target) else {
        return [file.finding(1, "the target \(target) is not in the import table")]
      }
      let declared = manifest.first { $0.name == target }?.dependencies ?? []
      return Self.imports(in: file).compactMap { line, module in
        guard allowed.contains(module) else { return file.finding(line, "\(target) may not import \(module)") }
        let isOurs = self[module] != nil || self[target]?.mayImport.contains(module) == true
        guard isOurs, !declared.contains(module) else { return nil }
        return file.finding(line, "\(target) imports \(module) and does not declare it in Package.swift")
      }
    }
  }

  /// Differences between the manifest and the table.
  func wrongTargets(_ manifest: [ManifestTarget]) -> [Finding] {
    let declared = Set(manifest.map(\.name))
    let missing = rows.filter { !declared.contains($0.name) }.map {
      Finding(path: "Package.swift", line: 1, what: "there is no target \($0.name), which the import table has")
    }
    return missing
      + manifest.flatMap { target -> [Finding] in
        guard let allowed = allowed(for: target.name) else {
          return [target.finding("the target \(target.name) is not in the import table")]
        }
        // A test target that starts the program depends on it, so that it is built, but may not import it.
        let started = target.name.hasSuffix("Tests") ? Self.program : nil
        return target.dependencies.filter { !allowed.contains($0) && $0 != started }.map {
          target.finding("\(target.name) may not depend on \($0)")
        }
      }
  }

  /// Imports that do not lead to a lower layer. Within layers 0 and 1, a target may import any other target.
  var wrongRows: [String] {
    rows.flatMap { row in
      row.mayImport.compactMap { self[$0] }
        .filter { $0.name == row.name || $0.layer >= max(row.layer, 2) || $0.layer > row.layer }
        .map { "\(row.name) (\(row.layer)) → \($0.name) (\($0.layer))" }
    }
  }

  static func imports(in file: SourceFile) -> [(line: Int, module: String)] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    let modifiers: Set = ["public", "package", "internal", "fileprivate", "private"]
    return file.codeLines.enumerated().compactMap { index, line in
      var words = line.split { $0 == " " || $0 == ";" }[...]
      while let first = words.first, first.hasPrefix("@") || modifiers.contains(String(first)) { words.removeFirst() }
      guard words.popFirst() == "import" else { return nil }
      if let kind = words.first, kinds.contains(String(kind)) { words.removeFirst() }
      return words.first.map { (index + 1, String($0.prefix { $0 != "." })) }
    }
  }
}
