/// A point in log time: milliseconds since 1970 (STAGES.md, section 1).
package typealias LogTime = Int64

/// A span of log time.
package typealias Milliseconds = Int64
