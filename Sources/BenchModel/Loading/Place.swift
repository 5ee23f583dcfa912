/// Where a piece of a scenario stands. Lines and columns count from 1, columns in Unicode scalars.
struct Place: Hashable, Comparable, Sendable {
  var file: String
  var line: Int
  var column: Int

  static func < (left: Place, right: Place) -> Bool {
    // An override has no place in the file, so it is told after everything that has.
    let leftIsOverride = left.file == ScenarioOverride.file
    let rightIsOverride = right.file == ScenarioOverride.file
    if leftIsOverride != rightIsOverride { return rightIsOverride }
    return (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}
