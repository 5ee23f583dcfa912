internal import Foundation
internal import HarnessPrimitives

/// The sizes of objects. An object has the bytes of all fields of a record, so its size is the sum of their lengths.
extension YCSBReader {
  /// Returns the size in the words of a scenario, and reports problems.
  var size: String {
    let fields = integer(.fieldcount, 1...1_000_000)
    let longest = integer(.fieldlength, 1...ValueShape.largestBytes)
    if text(.fieldlengthdistribution) == "histogram" {
      log.report(
        "fieldlengthdistribution cannot be \"histogram\" here, because a scenario has the sizes of whole objects; "
          + "expected one of constant, uniform, zipfian, or a scenario with the size histogram(FILE)",
        at: location(.fieldlengthdistribution)
      )
      return "32B"
    }
    let law = word(.fieldlengthdistribution, of: ["constant", "uniform", "zipfian"])
    let shortest = law == "constant" ? longest : integer(.minfieldlength, 0...ValueShape.largestBytes)
    if shortest > longest { log.report("minfieldlength is more than fieldlength", at: location(.minfieldlength)) }
    let lengths = shortest...max(shortest, longest)
    if lengths.count == 1 { return "\(checked(fields * longest))B" }
    if law == "uniform", fields == 1 {
      return "\(checked(shortest, by: .minfieldlength))B..\(checked(longest))B"
    }
    let moments = law == "uniform" ? Self.uniform(lengths) : Self.zipfian(lengths)
    return lognormal(mean: moments.mean * Double(fields), variance: moments.variance * Double(fields))
  }

  /// Returns the size of an object. Reports one that no value can have.
  /// - Parameter property: The property that determines it.
  private func checked(_ bytes: Int, by property: YCSBProperty = .fieldlength) -> Int {
    if bytes < ValueShape.headerBytes || bytes > ValueShape.largestBytes {
      log.report(
        "an object would have \(bytes) B; expected from 32 B, the size of the header by which reads are checked, to "
          + "1 GB; change fieldcount or \(property.rawValue)",
        at: has(property) ? location(property) : location(.fieldcount)
      )
    }
    return bytes
  }

  /// Returns the lognormal distribution with the mean and the variance of the sum of a record's lengths.
  private func lognormal(mean: Double, variance: Double) -> String {
    let ratio = variance / (mean * mean)
    let median = checked(Int(saturating: (mean / (1 + ratio).squareRoot()).rounded()))
    let sigma = String(format: "%.4f", log1p(ratio).squareRoot())
    log.note(
      "the sum of a record's field lengths is approximated by a lognormal distribution with the same mean "
        + "(\(Int(saturating: mean.rounded())) B) and standard deviation "
        + "(\(Int(saturating: variance.squareRoot().rounded())) B); no object has less than 32 B",
      at: location(.fieldlengthdistribution)
    )
    return "lognormal(\(median)B \(sigma))"
  }

  // MARK: The moments of one length

  private static func uniform(_ lengths: ClosedRange<Int>) -> (mean: Double, variance: Double) {
    let (lower, upper, count) = (Double(lengths.lowerBound), Double(lengths.upperBound), Double(lengths.count))
    return ((lower + upper) / 2, (count * count - 1) / 12)
  }

  /// Returns the moments of YCSB's `ZipfianGenerator`. Of its `n` lengths, the second shortest has the probability
  /// `0.5^theta / zeta`. The distance of a longer one from the shortest is `n * (eta * u - eta + 1)^(1 / (1 - theta))`,
  /// rounded down, for a uniform `u`.
  private static func zipfian(_ lengths: ClosedRange<Int>) -> (mean: Double, variance: Double) {
    let (theta, n) = (0.99, Double(lengths.count))
    let zeta = zeta(lengths.count, theta)
    let second = pow(0.5, theta) / zeta
    // The means of the distance from the shortest length and of its square.
    var (mean, square) = (second, second)
    if lengths.count > 2 {
      let others = 1 - 1 / zeta - second
      let lowest = pow(2 / n, 1 - theta)
      let eta = (1 - lowest) / others
      func integral(_ power: Double) -> Double {
        let exponent = power / (1 - theta) + 1
        return pow(n, power) * (1 - pow(lowest, exponent)) / (eta * exponent)
      }
      // Rounding down takes half of a byte on average.
      mean += integral(1) - others / 2
      square += integral(2) - integral(1) + others / 3
    }
    return (Double(lengths.lowerBound) + mean, square - mean * mean)
  }

  /// Returns the sum of `k^-theta` of all `k` from 1 to `count`: of those above 1,000 by an integral.
  private static func zeta(_ count: Int, _ theta: Double) -> Double {
    let exact = min(count, 1_000)
    let sum = (1...exact).reduce(0) { $0 + pow(Double($1), -theta) }
    let ends = [exact, count].map { pow(Double($0) + 0.5, 1 - theta) / (1 - theta) }
    return sum + ends[1] - ends[0]
  }
}
