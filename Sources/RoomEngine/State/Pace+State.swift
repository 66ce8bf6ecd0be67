extension StateWriter {
  mutating func pace(_ pace: Pace) {
    time(pace.closedUntil)
    number(pace.isPending ? 1 : 0)
  }
}

extension StateReader {
  mutating func pace() throws(StateError) -> Pace {
    Pace(closedUntil: try time(), isPending: try choice(of: 2) == 1)
  }
}
