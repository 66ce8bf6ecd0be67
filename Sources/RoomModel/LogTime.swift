/// A point in log time: milliseconds since 1970 (STAGES.md, section 1).
public typealias LogTime = Int64

extension LogTime {
  /// The times that are taken from elsewhere: adding a span or subtracting two of them never overflows.
  public static var possible: ClosedRange<LogTime> { .min / 2 + 1 ... .max / 2 }
}

/// A span of log time.
public typealias Milliseconds = Int64
