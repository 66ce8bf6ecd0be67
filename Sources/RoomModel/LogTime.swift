/// A point in log time: milliseconds since 1970 (STAGES.md, section 1).
package typealias LogTime = Int64

extension LogTime {
  /// What a time that comes from elsewhere can be: spans can be added to it, and two of them be subtracted.
  package static var possible: ClosedRange<LogTime> { .min / 2 + 1 ... .max / 2 }
}

/// A span of log time.
package typealias Milliseconds = Int64
