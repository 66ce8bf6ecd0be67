import Settings

extension Arguments {
  /// Log times that leave room for what the engine adds to them.
  static var times: ClosedRange<Int64> { Int64.min / 2...Int64.max / 2 }
}
