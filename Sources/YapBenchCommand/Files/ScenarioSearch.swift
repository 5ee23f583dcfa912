internal import BenchModel
internal import SystemFiles

/// Scenario files in a folder and below it.
struct ScenarioSearch {
  /// Sorted; each begins with the folder.
  private(set) var paths: [String] = []
  /// Files that have no usable name, and folders that cannot be read.
  private(set) var problems: [Diagnostic] = []

  /// Finds every YAML file below a folder that is not hidden.
  ///
  /// - Returns: nil where `folder` is no folder.
  init?(below folder: String) {
    guard let entries = FolderTree.entries(below: folder, suffixes: [".yaml", ".yml"]) else { return nil }
    let parent = folder.hasSuffix("/") ? folder : folder + "/"
    for entry in entries {
      switch entry {
      case .file(let path): paths.append(parent + path)
      case .problem(let path, let explanation):
        problems.append(Diagnostic(file: parent + path, line: 1, column: 1, message: explanation))
      }
    }
  }
}
