import Recovery
import Settings
import Testing

@Suite struct RestorePointsTests {
  @Test func roomsGetTheirEventsAgainFromBeforeTheOldestUnsavedChange() {
    var points = RestorePoints(from: point(0))
    for i in 1...5 { points.append(point(Int64(i) * 10), after: Int64(i)) }
    #expect(points.start(changedAfter: 3, offset: 55, clock: 55) == .init(point: point(30), applyFrom: 30))
    #expect(points.start(changedAfter: nil, offset: 55, clock: 55) == .init(point: point(50), applyFrom: 55))
  }

  @Test func aRestoreBeginsBeforeTheOldestIdThatToldADuplicateThen() {
    var points = RestorePoints(from: point(0))
    for i in 1...9 {
      points.noteIds(clock: Int64(i) * 10, windowMs: 25)
      points.append(point(Int64(i) * 10), after: Int64(i))
    }
    // At 50 those of 30 and later were remembered, which came after the point at 20.
    #expect(points.start(changedAfter: 5, offset: 95, clock: 95) == .init(point: point(20), applyFrom: 50))
    #expect(points.start(changedAfter: nil, offset: 95, clock: 95) == .init(point: point(70), applyFrom: 95))
  }

  @Test func howeverManyThereWereTheyStayFewAndNoneBeginsTooLate() {
    var points = RestorePoints(from: point(0))
    for i in 1...10_000 {
      points.noteIds(clock: Int64(i), windowMs: 1_000_000)
      points.append(point(Int64(i)), after: Int64(i))
    }
    #expect(points.count <= 128)
    let start = points.start(changedAfter: 7000, offset: 10_000, clock: 10_000)
    #expect(start.point.offset == 0)
    #expect(start.applyFrom <= 7000)
  }

  private func point(_ offset: Int64) -> RestorePoint {
    RestorePoint(
      offset: offset, clock: offset, lastOffset: offset - 1, settings: LogSettings(), settingsEpoch: 0, journalFrom: 0)
  }
}
