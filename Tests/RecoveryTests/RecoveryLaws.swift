import Recovery
import TestSupport
import Testing

/// Wherever a partition is taken up, by a worker or by a replay, it goes on there as if nothing had been.
@Suite struct RecoveryLaws {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func aWorkersRestoreAndAReplaysRecoveryBringBackWhatWas(seed: UInt64) throws {
    let partition = try WrittenPartition(
      seed: seed, isHandedOver: seed % 4 > 1, roomsPass: seed % 8 > 4, manyMarks: seed % 3 > 0 ? 10 : .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<4 {
      let place = random.one(of: partition.places)
      let (restored, isExact) = try partition.restored(place, hashSeed: random.next())
      #expect(isExact)
      #expect(Snapshot(restored) == place.state)
      #expect(partition.rest(of: restored, from: place) == partition.rest(from: place), "after \(place.offset)")

      // A replay comes to the last of several commits between two records, and what the journal tells then.
      let last = partition.places.last { $0.offset == place.offset }!
      let recovered = try partition.recovered(before: place.offset, hashSeed: random.next())
      if try last.journalEnd == partition.journalEnd(before: place.offset) {
        #expect(Snapshot(recovered) == last.state)
        #expect(partition.rest(of: recovered, from: last) == partition.rest(from: last), "after \(place.offset)")
      }
    }
  }

  /// A restore of what was restored, many times over.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func whatManyOwnersMakeIsWhatOneMakes(seed: UInt64) throws {
    let many = try WrittenPartition(seed: seed, isHandedOver: true, manyMarks: seed % 3 > 0 ? 10 : .max)
    let one = try WrittenPartition(seed: seed)
    #expect(many.owners > 3)
    #expect(many.output == one.output)
  }

  /// Only the restore that meets new logs is not exact.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func logsThatWereMadeAnewAreFollowedFromThen(seed: UInt64) throws {
    let partition = try WrittenPartition(seed: seed, isHandedOver: seed % 2 > 0, losesLogs: true)
    for place in partition.places {
      let (restored, isExact) = try partition.restored(place, hashSeed: seed)
      #expect(isExact && Snapshot(restored) == place.state, "before \(place.offset)")
    }
  }

  /// A room that is no more takes no memory, whichever owner wrote its end.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func noRoomIsLeftOnceALogIsOver(seed: UInt64) throws {
    let partition = try WrittenPartition(seed: seed, isHandedOver: seed % 2 > 0, roomsPass: seed % 4 > 1)
    #expect(partition.roomsLeft() == 0)
  }

  /// A damaged line costs only the restores that need it.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func aRestoreReadsNoLineFromBeforeItsRestorePoint(seed: UInt64) throws {
    let partition = try WrittenPartition(seed: seed, isHandedOver: true)
    for place in partition.places {
      let from = place.commit.metadata.restorePoint.offset
      #expect(try partition.lines(for: place).allSatisfy { try partition.offset(ofLine: $0) >= from })
    }
  }

  /// Its ids were for a time long past. Where a room has changed since it was written, that is told.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func whereAllOfTheInputIsGoneTheRoomsAreInTheChangelog(seed: UInt64) throws {
    let partition = try WrittenPartition(seed: seed, isOftenQuiet: seed % 2 > 0)
    for place in partition.places.prefix(40) {
      let (restored, isExact) = try partition.restored(place, firstOffset: place.offset, hashSeed: seed)
      #expect(isExact == (place.commit.metadata.applyFrom == place.offset))
      guard isExact else { continue }
      var state = place.state
      state.seenEvents = []
      #expect(Snapshot(restored) == state)
      let (whole, _) = try partition.restored(place, hashSeed: seed)
      #expect(partition.end(of: restored) == partition.end(of: whole), "after \(place.offset)")
    }
  }
}
