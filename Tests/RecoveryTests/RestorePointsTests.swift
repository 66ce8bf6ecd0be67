import Recovery
import Settings
import TestSupport
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

  @Test func whatHasItsMarksWrittenIsNotReadAgain() {
    var points = RestorePoints(from: point(0))
    for i in 1...9 as ClosedRange<Int64> {
      points.noteIds(clock: i * 10, windowMs: 45)
      if i > 3 { points.wroteMarks(since: i * 10 - 10, changelogFrom: 100 + i) }
      points.append(point(i * 10), after: i)
    }
    // At 70 those from 20 to 30 were remembered still, and they have no marks.
    #expect(points.start(changedAfter: 7, offset: 95, clock: 95) == .init(point: point(20), applyFrom: 70))
    #expect(points.marksFrom == 104)
    #expect(points.start(changedAfter: 8, offset: 95, clock: 95) == .init(point: point(80), applyFrom: 80))
    #expect(points.marksFrom == 104)
    #expect(points.start(changedAfter: nil, offset: 95, clock: 95) == .init(point: point(90), applyFrom: 95))
    #expect(points.marksFrom == 106)
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

  /// Held beside a plain list, which forgets nothing.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func nobodyBeginsLaterThanWithAPlainList(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var points = RestorePoints(from: point(0))
    var plain: [(offset: Int64, transaction: Int64, idsUntil: Int64)] = [(0, 0, .min)]
    var (clock, saved, isThinned) = (Int64(0), Int64(0), false)
    let pause = random.one(of: [1, 20, 300] as [Int64])
    for transaction in 1...600 as ClosedRange<Int64> {
      clock += random.number(1...9)
      let window = random.one(of: [1, 200, 3000] as [Int64])
      points.noteIds(clock: clock, windowMs: window)
      plain[plain.count - 1].idsUntil = clock + window
      isThinned = isThinned || points.count == 128
      points.append(point(clock), after: transaction)
      plain.append((clock, transaction, .min))
      #expect(points.count <= 128)
      guard random.once(in: UInt64(pause)) || transaction == 600 else { continue }
      saved = max(saved, transaction - random.number(0...2 * pause))
      let applyFrom = plain.last { $0.transaction <= saved }!.offset
      let from = plain.first { $0.offset == applyFrom || $0.idsUntil > applyFrom }!.offset
      let start = points.start(changedAfter: saved, offset: clock, clock: clock)
      #expect(start.applyFrom <= applyFrom && start.point.offset <= from)
      if !isThinned { #expect(start == .init(point: point(from), applyFrom: applyFrom)) }
    }
  }

  private func point(_ offset: Int64) -> RestorePoint {
    RestorePoint(
      offset: offset, clock: offset, lastOffset: offset - 1, settings: LogSettings(), settingsEpoch: 0, journalFrom: 0)
  }
}
