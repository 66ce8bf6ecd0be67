/// The look of a cell.
package struct Style: Equatable, Sendable {
  package enum Color: Int, Sendable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  package var color: Color?
  package var isBold = false
  package var isDim = false
  package var isReversed = false

  package static let plain = Style()
  package static let dim = Style(isDim: true)
  package static let bold = Style(isBold: true)

  package init(color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
  }

  /// The escape sequence that makes it so, whatever was before.
  func sequence(colors: Bool) -> String {
    var codes = ["0"]
    if isBold { codes.append("1") }
    if isDim { codes.append("2") }
    if isReversed { codes.append("7") }
    if colors, let color { codes.append(String(color.rawValue)) }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}
