extension Unicode.Scalar {
  /// Blank, or drawn as nothing: U+3164, U+200B, U+2800.
  var isInvisible: Bool {
    if properties.isDefaultIgnorableCodePoint || value == 0x2800 { return true }
    return switch properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
