/// The limit of a figure for its claim to hold. A figure equal to the limit is within it.
public enum Limit: Sendable, Equatable {
  case atMost(Double)
  case atLeast(Double)

  public func holds(_ figure: Double) -> Bool {
    switch self {
    case .atMost(let most): figure <= most
    case .atLeast(let least): figure >= least
    }
  }
}

/// The unit of a figure.
public enum FigureUnit: String, Sendable, Codable {
  case ratio, nanoseconds, bytes, count
}
