internal import HarnessPrimitives

extension YCSBReader {
  /// Returns the scenario as YAML, and reports problems. If the log has a problem, the text must not be used.
  func scenario(name: String) -> String {
    let workload = text(.workload)
    if workload.split(separator: ".").last != "CoreWorkload" {
      log.report("expected the CoreWorkload, found \(quoted(workload))", at: location(.workload))
    }
    let table = text(.table)
    if (try? Scalars.name.parse(table)) == nil {
      log.report("expected a name of letters, digits, - and _, found \(quoted(table))", at: location(.table))
    }
    return """
      # Made by `yapbench ycsb` from a workload of YCSB. An update writes a whole object, because there are no fields.
      \(commentOnInserts)format: 1
      name: \(name)
      summary: YCSB's \(name), \(summary).
      tags: [ycsb]
      seed: 1
      engine: {driver: yap, synchronous: normal}
      dataset:
        \(table): {rows: \(rows), \(inserts)key: \(keyForm), value: {size: \(size)}}
      connections:
        client: {}
      actors:
        client:
          connection: client
          threads: \(integer(.threadcount, 1...1024))
          operations: {\(operations.map { "\($0.name): \($0.weight)" }.joined(separator: ", "))}
          collection: \(table)
          keys: \(keys)
          load: \(load)
      phases:
        - {name: run, \(end), actors: [client]}
      invariants: [knownAnswers]

      """
  }

  private var summary: String {
    operations.map { "\($0.weight) \($0.name)" }.joined(separator: ", ")
      + " by weight, keys \(text(.requestdistribution))"
  }

  private var keyForm: String {
    let form = word(.insertorder, of: ["hashed", "ordered"]) == "ordered" ? "ycsbOrdered" : "ycsbHashed"
    return "\(form)(\(integer(.zeropadding, 1...Scalars.mostPaddedDigits)))"
  }

  private var rows: Int {
    guard has(.recordcount) else {
      log.report("the workload needs recordcount", at: start)
      return 1
    }
    return integer(.recordcount, 1...1_000_000_000)
  }

  // MARK: Inserts

  /// The least room for inserts: a smaller number of expected inserts is exceeded too easily.
  private static let leastInserts = 100
  /// The most inserts of a workload that ends by time.
  private static let mostTimedInserts = 10_000_000
  /// The throughput that is assumed of a workload that ends by time and has no target.
  private static let assumedPerSecond = 500_000

  /// The room for inserts; nil for a workload without inserts. It is twice the expected number of inserts, because YCSB
  /// draws zipfian keys among the loaded rows and that many more.
  private var mostInserts: Int? {
    let share = millionths(.insertproportion)
    guard share > 0 else { return nil }
    // A wrong number is reported where the property itself is read.
    func number(_ property: YCSBProperty) -> Int { min(max(Int(text(property)) ?? 0, 0), Int(Int32.max)) }
    func twice(_ operations: Int) -> Int { Int(saturating: Double(operations) * Double(share) / 1e6 * 2) }
    let (counted, seconds) = (number(.operationcount), number(.maxexecutiontime))
    let inCount = max(twice(counted), min(counted, Self.leastInserts))
    let perSecond = number(.target) > 0 ? number(.target) : Self.assumedPerSecond
    let inTime = min(max(twice(seconds * perSecond), Self.leastInserts), Self.mostTimedInserts)
    return counted > 0 && seconds > 0 ? min(inCount, inTime) : counted > 0 ? inCount : inTime
  }

  private var inserts: String { mostInserts.map { "inserts: \($0), " } ?? "" }

  private var commentOnInserts: String {
    guard mostInserts != nil else { return "" }
    return
      "# The table grows by at most `inserts` rows, twice the expected number; YCSB's zipfian keys are drawn among "
      + "them too.\n"
  }

  /// The operations with the proportions as whole weights, without those whose proportion is 0.
  private var operations: [(name: String, weight: Int)] {
    let kinds: [(YCSBProperty, String)] = [
      (.readproportion, "get"), (.updateproportion, "replace"), (.insertproportion, "insert"),
      (.scanproportion, scan), (.readmodifywriteproportion, "readModifyWrite"),
    ]
    let problemsBefore = log.count
    let weights = kinds.map { property, name in (name: name, weight: millionths(property)) }.filter { $0.weight > 0 }
    guard !weights.isEmpty else {
      if log.count == problemsBefore {
        log.report("every proportion is 0; expected at least one above 0", at: location(.readproportion))
      }
      return [("get", 1)]
    }
    let divisor = weights.map(\.weight).reduce(0, Self.greatestDivisor)
    return weights.map { ($0.name, $0.weight / divisor) }
  }

  private func millionths(_ property: YCSBProperty) -> Int {
    guard let number = decimal(property, upTo: 1) else { return 0 }
    guard let millionths = try? number.multiplied(by: 1_000_000) else {
      log.report(
        "expected \(property.rawValue) to have at most 6 decimals, found \(quoted(text(property)))",
        at: location(property)
      )
      return 0
    }
    return Int(millionths)
  }

  private static func greatestDivisor(_ left: Int, _ right: Int) -> Int {
    right == 0 ? left : greatestDivisor(right, left % right)
  }

  private var scan: String {
    let isUsed = (decimal(.scanproportion, upTo: 1)?.digits ?? 0) > 0
    guard isUsed else { return "scan(1)" }
    _ = word(.scanlengthdistribution, of: ["uniform"])
    let least = integer(.minscanlength, 1...100_000)
    let most = integer(.maxscanlength, 1...100_000)
    if most < least { log.report("maxscanlength is less than minscanlength", at: location(.maxscanlength)) }
    return least >= most ? "scan(\(most))" : "scan(\(least)..\(most))"
  }

  private var keys: String {
    let distributions = ["uniform", "zipfian", "latest", "sequential", "hotspot", "exponential"]
    switch word(.requestdistribution, of: distributions) {
    case "zipfian": return "scrambledZipfian"
    case "hotspot": return "hotspot(\(share(.hotspotdatafraction)) \(share(.hotspotopnfraction)))"
    case "exponential": return "exponential(\(percentile) \(share(.exponentialFraction)))"
    case let other: return other
    }
  }

  private var percentile: String {
    guard let number = decimal(.exponentialPercentile, upTo: 100) else { return "95%" }
    if number.digits == 0 || number.doubleValue >= 100 {
      log.report("exponential.percentile must be more than 0 and less than 100", at: location(.exponentialPercentile))
    }
    return text(.exponentialPercentile) + "%"
  }

  private var load: String {
    let target = integer(.target, 0...RateCurve.greatestPerSecond)
    return target == 0 ? "closed" : "{rate: \(target)/s}"
  }

  private var end: String {
    let problemsBefore = log.count
    let seconds = integer(.maxexecutiontime, 0...1_000_000)
    // In YCSB, an `operationcount` of 0 means that there is none.
    let operations = integer(.operationcount, 0...Int(Int32.max))
    if seconds == 0, operations == 0, log.count == problemsBefore {
      log.report("the workload needs operationcount or maxexecutiontime", at: location(.operationcount))
    }
    let ends = [seconds > 0 ? "for: \(seconds)s" : nil, operations > 0 ? "operations: \(operations)" : nil]
    return ends.compactMap { $0 }.joined(separator: ", ")
  }
}
