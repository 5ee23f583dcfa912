internal import Foundation
internal import HarnessPrimitives
internal import TestSupport

@testable import BenchResults
@testable import BenchScenario

/// Damages scenarios slightly: it changes the tree of a scenario, and sometimes its text.
struct ScenarioMutation {
  private var random: RandomStream

  init(seed: UInt64) { random = RandomStream(seed: seed) }

  private static let scalars = [
    "", "null", "~", "0", "-1", "1e309", "NaN", ".inf", "1000000000000000000", "18446744073709551616", "1e18", "0s",
    "5", "5ms", "1h", "99999999999h", "0B", "4KiB", "9999999GiB", "1/s", "0/s", "1e9/s", "50%", "200%", "1..8", "8..1",
    "on", "off", "yes", "true", "zipfian(0.99)", "zipfian()", "zipfian((0.99))", "hotspot(20%, 80%)", "every(1ms)",
    "never", "lognormal(1GB 5)", "run/read response.p99 < 1ms", "abort run wal.bytes.max < 1B", "wal.bytes == 0",
    "run deadlocks.sum > 0", "register(newest)", "kill", "wal.backlogFrames == 0", "steady(throughput 1% 10s)", "a b",
    "\u{1F680}", "é", String(repeating: "x", count: 200),
  ]

  /// Returns the text after one to three changes of the tree and, in one of eight cases, some changes of the text.
  mutating func mutated(_ root: YAMLNode) -> [UInt8] {
    var root = root
    for _ in 0...(random.below(2) * random.below(3)) { root = changed(root, at: random.below(root.nodeCount)) }
    guard let text = try? root.serialised() else { return [] }
    var bytes = Array(text.utf8)
    guard random.below(8) == 0 else { return bytes }
    for _ in 0...random.below(3) {
      let place = random.below(bytes.count)
      switch random.below(4) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(random.pick(Array("{}[]:,&*!|>'\"%@-? \n#\t".utf8)), at: place)
      case 2: bytes[place] = UInt8(random.below(256))
      default: bytes.insert(contentsOf: bytes[place..<min(place + 20, bytes.count)], at: random.below(bytes.count))
      }
      if bytes.isEmpty { break }
    }
    return bytes
  }

  /// Returns the node with its descendant number `index`, in the order of the file, changed.
  private mutating func changed(_ node: YAMLNode, at index: Int) -> YAMLNode {
    if index == 0 { return replaced(node) }
    var result = node
    var rest = index - 1
    switch node.content {
    case .scalar: break
    case .sequence(var elements, let isFlow):
      for position in elements.indices {
        let count = elements[position].nodeCount
        if rest < count {
          elements[position] = changed(elements[position], at: rest)
          break
        }
        rest -= count
      }
      result.content = .sequence(elements, isFlow: isFlow)
    case .mapping(var pairs, let isFlow):
      for position in pairs.indices {
        let count = pairs[position].value.nodeCount + 1
        if rest == 0 { change(&pairs, at: position) }
        if rest < count {
          if rest > 0 { pairs[position].value = changed(pairs[position].value, at: rest - 1) }
          break
        }
        rest -= count
      }
      result.content = .mapping(pairs, isFlow: isFlow)
    }
    return result
  }

  /// Removes, duplicates or misspells a key, or exchanges it with the first key.
  private mutating func change(_ pairs: inout [YAMLPair], at position: Int) {
    switch random.below(5) {
    case 0: pairs.remove(at: position)
    case 1: pairs.append(pairs[position])
    case 2:
      var letters = Array(pairs[position].key)
      if !letters.isEmpty { letters.swapAt(random.below(letters.count), random.below(letters.count)) }
      pairs[position].key = String(letters)
    case 3: (pairs[position].value, pairs[0].value) = (pairs[0].value, pairs[position].value)
    default: pairs[position].key = random.pick(Self.keys)
    }
  }

  private static let keys: [String] =
    ScenarioGrammar.scenario.grammar.reachable.flatMap(\.keys).map(\.name)
    + [
      "engine.synchronous", "phases.run.for", "actors.read.threads", "matrix", "", "a", "multiGet(5)", "set",
      "nestedRead(one)", "nestedWrite(nobody)", "nestedRead()",
    ]

  private mutating func replaced(_ node: YAMLNode) -> YAMLNode {
    var result = node
    let scalar = YAMLNode(
      content: .scalar(random.pick(Self.scalars), random.below(3) == 0 ? .doubleQuoted : .plain),
      location: node.location
    )
    switch (random.below(6), node.content) {
    case (0, _): result.content = .sequence([node, node], isFlow: true)
    case (1, _):
      let pair = YAMLPair(key: random.pick(Self.keys), keyLocation: node.location, value: node)
      result.content = .mapping([pair], isFlow: true)
    case (2, .sequence(var elements, let isFlow)):
      elements.append(contentsOf: elements.shuffled(using: &random))
      result.content = .sequence(elements, isFlow: isFlow)
    case (3, .mapping(_, let isFlow)): result.content = .mapping([], isFlow: isFlow)
    default: result = scalar
    }
    return result
  }
}
