extension String {
  /// The text on one line of a terminal, and distinct from every other: what would move the cursor (control characters,
  /// ends of lines) or turn the direction of what follows is escaped, as in `\u{202E}`.
  package var onOneLine: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.movesTerminal {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var movesTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Embeddings, overrides and isolates. Marks of direction stay: they turn nothing but themselves.
    case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: false
    }
  }
}
