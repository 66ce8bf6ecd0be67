extension Character {
  /// The number of cells of a terminal that it takes: 0, 1 or 2.
  package var cells: Int {
    let scalars = unicodeScalars
    guard let base = scalars.first else { return 0 }
    if base.properties.generalCategory == .control { return 0 }
    if base.isZeroWidth { return scalars.count == 1 ? 0 : 1 }
    if base.isWide { return 2 }
    // A symbol that is asked to look like an emoji, and a pair of letters that is a flag.
    let asksForEmoji = scalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
    return asksForEmoji && base.properties.isEmoji && base.value > 0xFF ? 2 : 1
  }

  /// Terminals disagree about all but plain letters, marks and ideographs: what comes after such a character has to
  /// be put where it belongs.
  var hasUncertainWidth: Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x20...0x7E, 0x3041...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF60: false
      default: true
      }
    }
  }
}

extension StringProtocol {
  package var cells: Int { reduce(0) { $0 + $1.cells } }

  /// Cut to at most `width` cells, with `…` in the place of what is left out.
  package func cut(toCells width: Int) -> String {
    if cells <= width { return String(self) }
    var result = ""
    var used = 1
    for character in self where used <= width {
      used += character.cells
      if used <= width { result.append(character) }
    }
    return width > 0 ? result + "…" : ""
  }

  /// The text with blanks after it, up to `width` cells.
  package func padded(toCells width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - cells))
  }
}

extension Unicode.Scalar {
  fileprivate var isZeroWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: value != 0xAD
    default: false
    }
  }

  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
