import Settings

/// Input topics that grow while workers run, the topics beside them before or after, and brokers that hear of it late.
final class SimulatedGrowth {
  private unowned let world: SimulatedWorld
  private var chance: Chance
  private var growsLeft: Int
  /// The topics that are still to grow, in this order, and their new counts.
  private var steps: [(topic: String, count: Int)] = []
  /// The counts that brokers tell which have not heard of a topic's last step.
  private var earlierCounts: [String: Int] = [:]

  init(_ world: SimulatedWorld, _ chance: Chance) {
    self.world = world
    self.chance = chance
    growsLeft = 1 + self.chance.below(2)
  }

  func disturb() {
    guard chance.one(in: 20) else { return }
    if !steps.isEmpty {
      takeStep()
    } else if growsLeft > 0 {
      growsLeft -= 1
      let input = world.topics.input[chance.below(world.topics.input.count)]
      let count = world.kafka.partitionCounts[input]! + 1 + chance.below(2)
      steps = (world.topics.beside(input) + [input]).map { ($0, count) }
      // An operator may grow them by hand, and not with our tool.
      if chance.one(in: 2) { steps.shuffle(using: &chance) }
    }
  }

  /// Ends the steps that have begun.
  func finish() {
    while !steps.isEmpty { takeStep() }
  }

  private func takeStep() {
    let (topic, count) = steps.removeFirst()
    earlierCounts[topic] = world.kafka.partitionCounts[topic]
    world.kafka.partitionCounts[topic] = count
    world.note("\(topic) grows to \(count) partitions")
    if world.topics.input.contains(topic) { world.kafka.group.grow(to: world.inputs) }
  }

  /// The number of partitions that one of the brokers tells.
  func count(of topic: String) -> Int {
    if world.hasFaults, let earlier = earlierCounts[topic], chance.one(in: 3) { return earlier }
    return world.kafka.partitionCounts[topic]!
  }
}
