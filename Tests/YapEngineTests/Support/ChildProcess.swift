import Testing

/// Runs the body of a test in a process of its own. An error becomes an issue, which the parent process reports; an
/// error that is thrown out of the body would only be a crash.
func reported(_ body: () throws -> Void) {
  if let found = Discrepancy.first(body) { Issue.record("\(found)") }
}
