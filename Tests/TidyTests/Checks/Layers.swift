/// The rules of imports. ARCHITECTURE.md has the layer of each target, and Package.swift its dependencies: each fact is
/// written once. SwiftPM also accepts imports of indirect dependencies; this check does not.
struct Layers: Sendable {
  let layers: [TargetLayer]
  let manifest: [ManifestTarget]

  subscript(target: String) -> Int? { layers.first { $0.target == target }?.layer }

  // MARK: Imports

  /// Imports of files that Package.swift does not declare, or that are not of the layer.
  func wrongImports(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.language == .swift }.flatMap { file -> [Finding] in
      guard let name = file.target else { return [] }
      guard let target = manifest.first(where: { $0.name == name }) else {
        return [file.finding(1, "Package.swift declares no target \(name)")]
      }
      let allowed = target.dependencies + systemModules(for: target)
      return Self.imports(in: file).filter { !allowed.contains($0.module) }.map { line, module in
        file.finding(line, "\(name) may not import \(module): Package.swift does not declare it")
      }
    }
  }

  /// The modules of the toolchain that a target may import.
  private func systemModules(for target: ManifestTarget) -> [String] {
    let tests = ["Testing", "Foundation", "FoundationXML", "Dispatch", "Synchronization", "Glibc"]
    if target.isTest { return tests }
    let layer = target.isOfTests ? 2 : self[target.name] ?? 0
    return (target.isOfTests ? ["Testing"] : [])
      + (layer >= 1 ? ["Synchronization", "Glibc", "FoundationEssentials"] : [])
      + (layer >= 2 ? ["Foundation", "Dispatch"] : [])
  }

  // MARK: Targets

  /// Targets of only one of the two documents, and dependencies that do not lead to a lower layer.
  func wrongTargets() -> [Finding] {
    let declared = Set(manifest.map(\.name))
    return layers.filter { !declared.contains($0.target) }.map {
      $0.finding("Package.swift declares no target \($0.target)")
    } + manifest.flatMap(wrongDependencies)
  }

  private func wrongDependencies(of target: ManifestTarget) -> [Finding] {
    let ours = target.dependencies.filter { name in manifest.contains { $0.name == name } }
    let shared = manifest.filter { $0.isOfTests && !$0.isTest }.map(\.name)
    if target.isOfTests {
      // A test may use the target that it is named after, and all targets in that layer or below. A test that starts
      // the program depends on it, so that it is built.
      guard target.isTest, !ours.isEmpty else { return [] }
      guard let tested = self[String(target.name.dropLast("Tests".count))] else {
        return [target.finding("ARCHITECTURE.md has no layer of the target that \(target.name) tests")]
      }
      return ours.filter { name in self[name].map { $0 > tested && name != Self.program } ?? !shared.contains(name) }
        .map { target.finding("\(target.name) may not depend on \($0)") }
    }
    guard let layer = self[target.name] else {
      return [target.finding("ARCHITECTURE.md has no layer of \(target.name)")]
    }
    // Within layers 0 and 1, a target may depend on any other target.
    let upward = ours.filter { name in self[name].map { $0 > layer || $0 >= max(layer, 2) } ?? true }.map { name in
      let other = self[name].map { "in layer \($0)" } ?? "for tests"
      return target.finding("\(target.name), in layer \(layer), may not depend on \(name), \(other)")
    }
    return upward
      + target.dependencies.filter { Self.isReserved($0, from: target.name) }.map {
        target.finding("\(target.name) may not depend on \($0), whatever their layers")
      }
  }

  /// Runner and reports meet only in the results, and only some targets use another engine or the command line.
  private static let users = [
    "ArgumentParser": ["YapBenchCommand"], "BenchReports": ["YapBenchCommand"],
    "GRDB": ["BenchDrivers", "EngineBenchmarks"], "CLMDB": ["BenchDrivers", "CDriverLoops"],
    "CRocksDB": ["BenchDrivers", "CDriverLoops"],
  ]

  /// The engine does not know the harness.
  private static func isReserved(_ name: String, from target: String) -> Bool {
    if target == "YapEngine" {
      return !["SQLiteBinding", "ThreadingPrimitives", "CPlatform", "CYapVFS"].contains(name)
    }
    return users[name].map { !$0.contains(target) } ?? false
  }

  /// The executable target.
  private static let program = "yapbench"

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

/// A row of the table of layers in ARCHITECTURE.md; a row with several targets counts once for each.
struct TargetLayer: Equatable, Sendable {
  let target: String
  let layer: Int
  let line: Int

  func finding(_ what: String) -> Finding { Finding(path: "ARCHITECTURE.md", line: line, what: what) }

  static func all(in architecture: SourceFile) -> [TargetLayer] {
    architecture.lines.enumerated().flatMap { index, line -> [TargetLayer] in
      guard let row = line.prefixMatch(of: /\| (\d+) \| (`[^|]+`) \|/), let layer = Int(row.1) else { return [] }
      return row.2.matches(of: /\w+/).map { TargetLayer(target: String($0.0), layer: layer, line: index + 1) }
    }
  }
}
