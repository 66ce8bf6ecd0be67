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
    // Workers look for the newest savepoint after all markers are written.
    world.kafka.progress(&chance, oneIn: 1)
    let begun = world.inputs.filter { world.laws.next(of: $0) != nil }
    guard !begun.isEmpty else { return }
    setsLeft -= 1
    for _ in 0...chance.below(2) {
      let partition = begun[chance.below(begun.count)]
      let (log, now) = (world.kafka.log(partition), world.laws.next(of: partition)!)
      let to = chance.one(in: 3) ? now + Int64(chance.below(Int(log.end - now) + 1)) : Int64(chance.below(Int(now) + 1))
      world.note("a tool sets \(partition) from \(now) to \(to)")
      world.kafka.setOffset(of: partition, to: to)
      let isBack = world.newestSavepoint(of: partition).map { to < $0 } ?? false
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
  /// The offset of the newest savepoint of the group's own.
  fileprivate func newestSavepoint(of partition: TopicPartition) -> Int64? {
    let group = Array(topics.helpers.group.utf8)
    return kafka.read(changelog(partition), from: 0).last { _, entry in
      entry.key == nil && entry.headers.allSatisfy { $0.name != HelperTopics.groupHeader || $0.value == group }
    }.flatMap { _, entry in
      entry.value!.withUnsafeBytes { try? Savepoint($0).offset }
    }
  }
}
