internal import Foundation

/// The frame of every page. Its policy forbids the network, and every script and style except the page's own.
enum HTMLPage {
  /// - Parameters:
  ///   - title: plain text.
  ///   - body: HTML.
  ///   - style: Rules that follow the rules of every page.
  ///   - script: The page's script.
  static func text(
    title: String,
    body: String,
    style: String = "",
    script: String = PageScript.text + ComparisonStyle.script,
    nonce: String = UUID().uuidString
  ) -> String {
    // The policy allows only scripts and styles with this random number, which text from a scenario cannot contain.
    let policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; img-src data:; "
      + "base-uri 'none'; form-action 'none'"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(HTMLText.escaped(title))</title>
      <link rel="icon" href="data:,">
      <style nonce="\(nonce)">\(Self.style)\(ComparisonStyle.rules)\(style)</style>
      </head>
      <body>
      \(body)
      <script nonce="\(nonce)">\(script)</script>
      </body>
      </html>

      """
  }
}
