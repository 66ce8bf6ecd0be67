extension Int64 {
  /// The sum, or the largest number there is: what a command says may be anything, and a screen must not fall over it.
  package func plus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return !overflow ? sum : other < 0 ? .min : .max
  }

  package func times(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return !overflow ? product : (self < 0) == (other < 0) ? .max : .min
  }

  package func minus(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return !overflow ? difference : other < 0 ? .max : .min
  }
}
