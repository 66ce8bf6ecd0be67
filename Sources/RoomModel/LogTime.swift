/// A point in log time: milliseconds since 1970 (STAGES.md, section 1).
public typealias LogTime = Int64

extension LogTime {
  /// What a time that comes from elsewhere can be: spans can be added to it, and two of them be subtracted.
  public static var possible: ClosedRange<LogTime> { .min / 2 + 1 ... .max / 2 }
}

/// A span of log time.
public typealias Milliseconds = Int64
