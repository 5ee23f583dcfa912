internal import NumericConversion

/// Reads a workload's properties, tells each problem where it stands, and says what the workload means.
struct YCSBReader {
  let properties: [PropertyFile.Property]
  /// Where the file begins: for what is missing.
  let start: Place
  let log: DiagnosticLog

  /// What has no meaning here. A name that was probably misspelt is a problem instead.
  func notes() -> [String] {
    let known = YCSBProperty.allCases.map(\.rawValue)
    var notes: [String] = []
    var seen: Set<String> = []
    for property in properties where !known.contains(property.name) && seen.insert(property.name).inserted {
      if let reason = YCSBProperty.withoutMeaning.first(where: { $0.key == property.name })?.value {
        notes.append("\(property.name) changes nothing here: \(reason)")
      } else if let near = Suggestion.nearest(to: property.name, among: known) {
        log.report("unknown property \(quoted(property.name)); did you mean \(quoted(near))?", at: property.namePlace)
      } else {
        notes.append("\(property.name) means nothing to a scenario")
      }
    }
    return notes
  }

  func has(_ property: YCSBProperty) -> Bool { find(property) != nil }

  func place(_ property: YCSBProperty) -> Place { find(property)?.valuePlace ?? start }

  func text(_ property: YCSBProperty) -> String { find(property)?.value ?? property.usual ?? "" }

  /// As in Java, the last one counts.
  private func find(_ property: YCSBProperty) -> PropertyFile.Property? {
    properties.last { $0.name == property.rawValue }
  }

  /// One of several words.
  func word(_ property: YCSBProperty, of words: [String]) -> String {
    let text = text(property)
    if !words.contains(text) {
      let remedy = Suggestion.remedy(for: text, among: words)
      log.report("\(property.rawValue) cannot be \(quoted(text)) here; \(remedy)", at: place(property))
    }
    return text
  }

  /// A whole number within a range; its least where it is wrong.
  func integer(_ property: YCSBProperty, _ range: ClosedRange<Int>) -> Int {
    let text = text(property)
    if let value = Int(text), range.contains(value) { return value }
    log.report(
      "expected \(property.rawValue) to be a whole number from \(range.lowerBound) to \(range.upperBound), found "
        + quoted(text),
      at: place(property)
    )
    return range.lowerBound
  }

  /// A decimal number from 0 to a limit.
  func decimal(_ property: YCSBProperty, upTo limit: Double) -> DecimalText? {
    let text = text(property)
    if let number = try? DecimalText(text[...]), number.doubleValue <= limit, number.fractionDigits <= 12 {
      return number
    }
    log.report(
      "expected \(property.rawValue) to be a number from 0 to \(Int(saturating: limit)) of at most 12 decimals, found "
        + quoted(text),
      at: place(property)
    )
    return nil
  }

  /// A fraction of 1 as a share, such as `85.71428571%`.
  func share(_ property: YCSBProperty) -> String {
    guard let number = decimal(property, upTo: 1) else { return "50%" }
    if number.digits == 0 { log.report("\(property.rawValue) must be more than 0", at: place(property)) }
    return Self.hundredfold(number) + "%"
  }

  private static func hundredfold(_ number: DecimalText) -> String {
    let digits = String(number.digits)
    guard number.fractionDigits > 2 else {
      return String(Int(number.digits) * [100, 10, 1][number.fractionDigits])
    }
    let decimals = number.fractionDigits - 2
    let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
    var fraction = padded.suffix(decimals)
    while fraction.last == "0" { fraction.removeLast() }
    return padded.dropLast(decimals) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
