/// Text and colours as gnuplot's scripts have them.
enum PlotText {
  /// Colours that people with any kind of colour vision tell apart (Okabe and Ito), dark enough on white.
  static let colors = ["#0072B2", "#D55E00", "#009E73", "#AA4499", "#7A5C00", "#444444", "#56B4E9", "#CC3311"]
  static let gray = "#6a737d"
  static let ink = "#24292f"

  static let labelSize = 12
  /// Of the average character of a sans font at that size.
  static let characterWidth = 6.6

  /// A quoted string that gnuplot takes as it is: between single quotes it neither expands nor runs anything, so what
  /// could end the string, run a command or continue a line gives way to what looks like it.
  static func quoted(_ text: String, limit: Int = 28) -> String {
    let line = InertText.shortened(InertText.line(text), to: limit)
    let lookalikes: [Character: Character] = ["'": "’", "`": "ʹ", "\\": "∖"]
    return "'" + String(line.map { lookalikes[$0] ?? $0 }) + "'"
  }

  static func color(_ index: Int) -> String { colors[index % colors.count] }
}
