extension StateWriter {
  mutating func pace(_ pace: Pace) {
    time(pace.closedUntil)
    number(pace.isPending ? 1 : 0)
  }
}

extension StateReader {
  mutating func pace() throws(StateError) -> Pace {
    let pace = Pace(closedUntil: try time(or: .min), isPending: try choice(of: 2) == 1)
    guard !pace.isPending || pace.closedUntil > .min else { throw .damaged }
    return pace
  }
}
