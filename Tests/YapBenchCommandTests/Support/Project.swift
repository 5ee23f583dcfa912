import Foundation
import TestSupport

/// The project's own files.
enum Project {
  static let path = Repository.root.path
  static let stalledReader = path + "/Scenarios/wal/stalled-reader.yaml"
  static let sixtyHertz = path + "/Scenarios/wal/sixty-hertz.yaml"
  static let null = path + "/Scenarios/selftest/null.yaml"
  static let policies = path + "/Scenarios/policy/three-policies.yaml"
}
