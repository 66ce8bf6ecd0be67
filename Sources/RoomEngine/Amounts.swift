extension Int64 {
  /// Stays at the greatest rather than trap: no log may stop its partition for good.
  @inline(__always)
  package func adding(_ more: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(more)
    return overflow ? .max : sum
  }
}
