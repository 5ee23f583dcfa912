/// A word of a shell's command line.
package enum ShellWord {
  /// Returns the text, quoted where it has to be.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_./:=@%+,-".unicodeScalars.contains(scalar))
    }
    return isPlain ? text : "'" + InertText.line(text).replacing("'", with: #"'\''"#) + "'"
  }
}
