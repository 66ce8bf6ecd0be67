import Recovery
import TestSupport
import Testing

/// A wrong byte anywhere in changelog or journal is noticed, told, and costs no more than it must.
@Suite struct DamageLaws {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func aDamagedRecordCostsItsRoomAlone(seed: UInt64) throws {
    let partition = try WrittenPartition(seed: seed)
    var random = SplitMix64(seed: seed)
    let place = random.one(of: partition.places.suffix(partition.places.count / 2))
    let records = partition.records(for: place)
    guard !records.isEmpty else { return }
    let (at, room) = random.one(of: records)
    partition.flip(changelogAt: at, byte: Int(random.number(0...10_000)), bit: Int(random.number(0...7)))
    let (restored, isExact) = try partition.restored(place, hashSeed: random.next())
    let id = String(decoding: room, as: UTF8.self)
    let newest = records.last { $0.room == room }!.at
    // A part may be one that the newest head no longer names.
    let isMissed = at == newest || !partition.damages.isEmpty
    #expect(partition.damages == (isMissed ? [.room(id, at: Int64(newest))] : []))
    #expect(isExact == !isMissed)
    let count = partition.recordsNext(at: place)
    func others(_ rest: [Output]) -> [Output] { rest.prefix(count).map { isMissed ? $0.without(id) : $0 } }
    #expect(others(partition.rest(of: restored, from: place)) == others(partition.rest(from: place)))
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func aDamagedLineOfTheJournalIsTold(seed: UInt64) throws {
    let partition = try WrittenPartition(seed: seed)
    var random = SplitMix64(seed: seed)
    let place = random.one(of: partition.places.suffix(partition.places.count / 2))
    let lines = partition.lines(for: place)
    guard !lines.isEmpty else { return }
    let at = random.one(of: Array(lines))
    partition.flip(journalAt: at, byte: Int(random.number(0...10_000)), bit: Int(random.number(0...7)))
    let (_, isExact) = try partition.restored(place, hashSeed: random.next())
    #expect(partition.damages == [.journalLine(at: Int64(at))])
    #expect(!isExact)
  }
}

extension Output {
  fileprivate func without(_ room: String) -> Output {
    var copy = self
    copy.rooms[room] = nil
    return copy
  }
}
