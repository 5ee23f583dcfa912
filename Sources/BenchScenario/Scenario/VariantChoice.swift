public import BenchResults

/// A selection of variants by values of the matrix, such as `share`, or `objectPolicy=share,synchronous=full`.
public struct VariantChoice: Sendable, Equatable {
  public let text: String

  public init(_ text: String) { self.text = text }

  private var terms: [String] {
    text.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }
  }

  /// Whether a variant with these settings has all settings of the choice.
  public func includes(_ settings: [VariantSetting]) -> Bool {
    // A value may contain a comma, so the whole text is tried first.
    settings.contains(where: { $0.has(text) })
      || !terms.isEmpty && terms.allSatisfy { term in settings.contains { $0.has(term) } }
  }

  /// Returns the settings of a variant that the choice names.
  func named(in settings: [VariantSetting]) -> [VariantSetting] {
    let whole = settings.filter { $0.has(text) }
    return whole.isEmpty ? settings.filter { setting in terms.contains { setting.has($0) } } : whole
  }

  /// Whether one of its values is a value of several keys in one of the variants, so that a key is needed.
  func isAmbiguous(among variants: [[VariantSetting]]) -> Bool {
    variants.contains { includes($0) && named(in: $0).count > max(terms.count, 1) }
  }

  /// Returns the index of the variant that has the settings of the choice and all others in common with a variant; nil
  /// if there is none.
  ///
  /// With the variants `share, 1k`, `share, 10k`, `copy, 1k` and `copy, 10k`, the counterpart of `share, 1k` by `copy`
  /// is `copy, 1k`.
  public func counterpart(of settings: [VariantSetting], among variants: [[VariantSetting]]) -> Int? {
    variants.firstIndex { variant in
      let named = named(in: variant)
      return includes(variant) && zip(variant, settings).allSatisfy { $0 == $1 || named.contains($0) }
    }
  }
}

extension VariantSetting {
  fileprivate func has(_ term: String) -> Bool { name == term || value == term }
}
