import Foundation
import FoundationXML

/// The elements of a page, in order, with their texts. All tags must be closed.
final class XMLPage: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    /// The text of the element and of all elements inside it.
    var text = ""
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// Parses a page of a report. Markup that a browser would have to guess is an error.
  convenience init(html page: String) throws {
    // Only the doctype and the void elements of HTML are not XML.
    var text = page.replacing("<!DOCTYPE html>", with: "").replacing("<br>", with: "<br/>")
    text = text.replacing(/<(meta|link)([^>]*)>/) { "<\($0.1)\($0.2)/>" }
    text = text.replacing(/<script nonce.*<\/script>/.dotMatchesNewlines()) { _ in "<script></script>" }
    try self.init(text)
  }

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw parser.parserError ?? CocoaError(.formatting)
    }
  }

  func texts(of name: String) -> [String] { elements.filter { $0.name == name }.map(\.text) }

  func attributes(_ attribute: String, of name: String) -> [String] {
    elements.filter { $0.name == name }.compactMap { $0.attributes[attribute] }
  }

  var ids: [String] { elements.compactMap { $0.attributes["id"] } }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    for index in open { elements[index].text += string }
  }
}
