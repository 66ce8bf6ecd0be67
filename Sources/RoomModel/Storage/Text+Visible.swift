extension Text {
  /// Whether something of it can be seen: a character that is neither a blank, nor ignored when it is drawn, nor a control,
  /// nor the Braille pattern without dots.
  public var isVisible: Bool {
    description.unicodeScalars.contains { scalar in
      let properties = scalar.properties
      if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
      switch properties.generalCategory {
      case .control, .format: return false
      default: return true
      }
    }
  }
}
