import Testing

/// For the body of a test that runs in a process of its own: an error becomes an issue, which the parent tells. Thrown
/// out of the body it would only be a crash.
func reported(_ body: () throws -> Void) {
  if let found = Discrepancy.first(body) { Issue.record("\(found)") }
}
