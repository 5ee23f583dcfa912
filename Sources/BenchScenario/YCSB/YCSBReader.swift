internal import HarnessPrimitives

/// Converts a workload's properties to a scenario, and reports each problem with its location.
struct YCSBReader {
  let file: PropertyFile
  /// The start of the first file, where problems of missing properties are reported.
  let start: SourceLocation
  let log: DiagnosticLog

  /// Notes each property without an effect, and reports each name that is probably misspelt.
  func checkNames() {
    let known = YCSBProperty.allCases.map(\.rawValue)
    var seen: Set<String> = []
    for property in file.properties where !known.contains(property.name) && seen.insert(property.name).inserted {
      if let reason = YCSBProperty.withoutMeaning.first(where: { $0.key == property.name })?.value {
        log.note("\(property.name) has no effect: \(reason)", at: property.nameLocation)
      } else if let near = Suggestion.nearest(to: property.name, among: known) {
        let message = "unknown property \(quoted(property.name)); did you mean \(quoted(near))?"
        log.report(message, at: property.nameLocation)
      } else {
        log.note("\(property.name) has no equivalent in a scenario", at: property.nameLocation)
      }
    }
  }

  func has(_ property: YCSBProperty) -> Bool { file[property.rawValue] != nil }

  func location(_ property: YCSBProperty) -> SourceLocation { file[property.rawValue]?.valueLocation ?? start }

  func text(_ property: YCSBProperty) -> String { file[property.rawValue]?.value ?? property.usual ?? "" }

  /// Returns the property's text. Reports it if it is none of the words.
  func word(_ property: YCSBProperty, of words: [String]) -> String {
    let text = text(property)
    if !words.contains(text) {
      let remedy = Suggestion.remedy(for: text, among: words)
      log.report("\(property.rawValue) cannot be \(quoted(text)) here; \(remedy)", at: location(property))
    }
    return text
  }

  /// Returns a whole number within a range. Reports any other text, and then returns the lower bound.
  func integer(_ property: YCSBProperty, _ range: ClosedRange<Int>) -> Int {
    let text = text(property)
    if let value = Int(text), range.contains(value) { return value }
    log.report(
      "expected \(property.rawValue) to be a whole number from \(range.lowerBound) to \(range.upperBound), found "
        + quoted(text),
      at: location(property)
    )
    return range.lowerBound
  }

  /// Returns a decimal number from 0 to a limit. Reports any other text, and then returns nil.
  func decimal(_ property: YCSBProperty, upTo limit: Double) -> DecimalText? {
    let text = text(property)
    if let number = try? DecimalText(text[...]), number.doubleValue <= limit, number.fractionDigits <= 12 {
      return number
    }
    log.report(
      "expected \(property.rawValue) to be a number from 0 to \(Int(saturating: limit)) of at most 12 decimals, found "
        + quoted(text),
      at: location(property)
    )
    return nil
  }

  /// Returns a fraction, more than 0 and at most 1, as a share such as `85.71428571%`. Reports any other text.
  func share(_ property: YCSBProperty) -> String {
    guard let number = decimal(property, upTo: 1) else { return "50%" }
    if number.digits == 0 { log.report("\(property.rawValue) must be more than 0", at: location(property)) }
    return Self.hundredfold(number) + "%"
  }

  private static func hundredfold(_ number: DecimalText) -> String {
    let digits = String(number.digits)
    guard number.fractionDigits > 2 else { return String(Int(number.digits) * [100, 10, 1][number.fractionDigits]) }
    let decimals = number.fractionDigits - 2
    let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
    var fraction = padded.suffix(decimals)
    while fraction.last == "0" { fraction.removeLast() }
    return padded.dropLast(decimals) + (fraction.isEmpty ? "" : "." + fraction)
  }
}

/// The properties of YCSB's core workload and of its client that have an effect on the scenario.
enum YCSBProperty: String, CaseIterable {
  case workload, recordcount, operationcount, table
  case fieldcount, fieldlength, minfieldlength, fieldlengthdistribution
  case readproportion, updateproportion, insertproportion, scanproportion, readmodifywriteproportion
  case requestdistribution, insertorder, zeropadding
  case minscanlength, maxscanlength, scanlengthdistribution
  case hotspotdatafraction, hotspotopnfraction
  case exponentialPercentile = "exponential.percentile"
  case exponentialFraction = "exponential.frac"
  case threadcount, target, maxexecutiontime

  /// Properties of YCSB that have no effect on the scenario, each with the reason.
  static let withoutMeaning: KeyValuePairs<String, String> = [
    "readallfields": "an object is read as a whole",
    "writeallfields": "an object is written as a whole",
    "fieldnameprefix": "an object has no named fields",
    "keyprefix": "keys begin with \"user\"",
    "dataintegrity": "every value that is read is checked",
    "measurementtype": "latencies are always kept in histograms",
  ]

  /// The default in YCSB's code, from which its template differs in part. nil if the scenario needs a value.
  var usual: String? {
    switch self {
    case .workload: "site.ycsb.workloads.CoreWorkload"
    case .table: "usertable"
    case .fieldcount: "10"
    case .fieldlength: "100"
    case .fieldlengthdistribution: "constant"
    case .readproportion: "0.95"
    case .updateproportion: "0.05"
    case .insertproportion, .scanproportion, .readmodifywriteproportion: "0.0"
    case .requestdistribution, .scanlengthdistribution: "uniform"
    case .insertorder: "hashed"
    case .minfieldlength, .minscanlength, .zeropadding: "1"
    case .maxscanlength: "1000"
    case .hotspotdatafraction: "0.2"
    case .hotspotopnfraction: "0.8"
    case .exponentialPercentile: "95"
    case .exponentialFraction: "0.8571428571"
    case .threadcount: "1"
    case .operationcount, .target, .maxexecutiontime: "0"
    case .recordcount: nil
    }
  }
}
