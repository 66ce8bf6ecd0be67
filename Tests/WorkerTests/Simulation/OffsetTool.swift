import JSON
import Kafka
import Recovery
import Settings

/// A tool that sets offsets of the group while it has no members, and an operator who says later that it is meant.
final class OffsetTool {
  private unowned let world: SimulatedWorld
  private var chance: Chance
  private var setsLeft: Int
  /// The setting `worker.rewind` of workers that start.
  private(set) var rewind: [String] = []

  init(_ world: SimulatedWorld, _ chance: Chance) {
    self.world = world
    self.chance = chance
    setsLeft = 1 + self.chance.below(3)
  }

  /// The next deed, which waits until all workers are gone.
  enum Deed { case set, tell }

  func next() -> Deed? {
    guard chance.one(in: 40) else { return nil }
    return !world.laws.resting.isEmpty && chance.one(in: 2) ? .tell : setsLeft > 0 ? .set : nil
  }

  func set() {
    // Workers look how far they had come after all markers are written.
    world.kafka.progress(&chance, oneIn: 1)
    world.kafka.endHanging(exceptOf: [])
    let begun = world.inputs.filter { world.laws.next(of: $0) != nil }
    guard !begun.isEmpty else { return }
    setsLeft -= 1
    for _ in 0...chance.below(2) {
      let partition = begun[chance.below(begun.count)]
      let (log, now) = (world.kafka.log(partition), world.laws.next(of: partition)!)
      let to = chance.one(in: 3) ? now + Int64(chance.below(Int(log.end - now) + 1)) : Int64(chance.below(Int(now) + 1))
      world.note("a tool sets \(partition) from \(now) to \(to)")
      world.kafka.setOffset(of: partition, to: to)
      let isBack = world.reached(partition).map { to < $0 } ?? false
      let isMeant = rewind.contains { ["follow", Self.name(partition, to)].contains($0) }
      world.laws.wasSet(partition, to: to, rests: isBack && !isMeant)
    }
  }

  func tell() {
    // What was meant before may not be committed yet, so it stays named.
    let meant = chance.one(in: 4) ? ["follow"] : world.laws.resting.map { Self.name($0.key, $0.value) }
    rewind = Set(rewind + meant).sorted()
    world.note("worker.rewind is \(rewind)")
    world.laws.mayGoOn()
  }

  private static func name(_ partition: TopicPartition, _ offset: Int64) -> String {
    "\(partition.topic)/\(partition.partition)@\(offset)"
  }
}

extension SimulatedWorld {
  /// The offset that the group's workers had reached as far as changelog and journal tell; nil: nothing tells.
  fileprivate func reached(_ partition: TopicPartition) -> Int64? {
    let group = Array(topics.helpers.group.utf8)
    // Marks tell no offset that was reached.
    func own(_ log: TopicPartition) -> [(offset: Int64, entry: SimulatedKafka.Entry)] {
      kafka.read(log, from: 0).filter { _, entry in
        !entry.isBlank && !RoomRecord.hasMarks(key: entry.key, value: entry.value)
          && entry.headers.allSatisfy { $0.name != HelperTopics.groupHeader || $0.value == group }
      }
    }
    let changes = own(changelog(partition))
    let last = changes.lastIndex { $0.entry.key == nil }
    let savepoint = last.flatMap { last in changes[last].entry.value!.withUnsafeBytes { try? Savepoint($0) } }
    let room = changes[(last.map { $0 + 1 } ?? 0)...].last { $0.entry.value != nil }.flatMap { _, entry in
      entry.key!.withUnsafeBytes { key in entry.value!.withUnsafeBytes { try? RoomRecord($0, of: key).offset } }
    }
    var document = JSONDocument()
    let journalFrom = savepoint?.metadata.restorePoint.journalFrom ?? 0
    let line = own(journal(partition)).last { $0.offset >= journalFrom }.flatMap { _, entry in
      entry.value!.withUnsafeBytes { try? JournalLine(json: $0, with: &document).offset }
    }
    return [savepoint?.offset, room, line].compactMap(\.self).max()
  }
}
