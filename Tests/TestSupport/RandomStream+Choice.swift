package import HarnessPrimitives

extension RandomStream {
  package mutating func chance(oneIn count: Int) -> Bool { below(count) == 0 }

  /// - Parameter elements: At least one element.
  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
