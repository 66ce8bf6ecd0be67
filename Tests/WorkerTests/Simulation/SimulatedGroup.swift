import Kafka
import Worker

/// The coordinator of ``SimulatedKafka``'s group: its members, by their places, and what each of them has.
final class SimulatedGroup {
  /// A member's identity in the group, sent along with offsets.
  struct Membership {
    var member: Int
    /// The id drawn at its join.
    var id: Int
    var generation: Int
  }

  /// The process that has the place of a name.
  private struct Holder {
    var id: Int
    var heardMs: Int64
  }

  private(set) var generation = 0
  private var holders: [Int: Holder] = [:]
  /// The holders before the last join.
  private var earlierHolders: [Int: Holder] = [:]
  private var lastId = 0
  /// The process that joined with each member id; Kafka doesn't tell.
  private(set) var processes: [Int: Int] = [:]
  private var coordinator: Int32 = 0
  private var nowMs: Int64 = 0
  private var joined: Set<Int> = []
  private var isRebalancing = false
  private var assignment: [Int: [TopicPartition]] = [:]
  private var notified: Set<Int> = []
  var partitions: [TopicPartition] = []
  private var newPlaces = 1000
  /// A new place, for a member without a name.
  func newPlace() -> Int {
    newPlaces += 1
    return newPlaces
  }

  /// The time after which a member that is not heard is dropped.
  static let sessionMs = SimulatedWorld.sessionMs

  enum Event { case nothing, revoked(isLost: Bool), assigned([TopicPartition]), fenced }

  /// Joins, also in place of a member that had its name.
  ///
  /// - Returns: Its id.
  @discardableResult
  func join(_ member: Int, process: Int) -> Int {
    lastId += 1
    processes[lastId] = process
    earlierHolders[member] = holders[member]
    holders[member] = Holder(id: lastId, heardMs: nowMs)
    assignment[member] = nil
    joined.insert(member)
    rebalance()
    return lastId
  }

  /// It leaves.
  func remove(_ member: Int, id: Int) {
    guard holders[member]?.id == id else { return }
    drop(member)
  }

  private func drop(_ member: Int) {
    guard holders.removeValue(forKey: member) != nil else { return }
    joined.remove(member)
    assignment[member] = nil
    rebalance()
  }

  /// Heartbeats come, or don't.
  ///
  /// - Parameter alive: The ids of those that send them.
  func hear(_ alive: Set<Int>, nowMs: Int64) {
    self.nowMs = nowMs
    for (member, holder) in holders.sorted(by: { $0.key < $1.key }) {
      if alive.contains(holder.id) {
        holders[member]!.heardMs = nowMs
      } else if nowMs - holder.heardMs > Self.sessionMs {
        drop(member)
      }
    }
  }

  /// A session that is over sooner than others.
  func dropSilent(_ member: Int, alive: Set<Int>) {
    if let holder = holders[member], !alive.contains(holder.id) { drop(member) }
  }

  /// The places of those that are not heard.
  func silent(alive: Set<Int>) -> [Int] { holders.filter { !alive.contains($0.value.id) }.keys.sorted() }

  /// Another broker coordinates the group, and begins all sessions anew.
  ///
  /// - Parameter forgotten: It has not heard of this member's last join.
  func failOver(forgetting forgotten: Int?) {
    coordinator += 1
    for member in holders.keys { holders[member]!.heardMs = nowMs }
    guard let forgotten, var earlier = earlierHolders[forgotten], holders[forgotten] != nil else { return }
    earlier.heardMs = nowMs
    holders[forgotten] = earlier
  }

  /// The place as the coordinator describes it.
  func place(of member: Int) -> PlaceClaim.Answer {
    .init(
      coordinator: coordinator,
      holder: holders[member].map {
        .init(id: "\($0.id)", instanceId: "w-\(member)", clientId: "simulated", host: "h")
      })
  }

  /// The group's answer when the member asks next.
  ///
  /// - Parameter generation: The generation in which it was given its part.
  func poll(_ member: Int, id: Int, generation: Int, hasPartitions: Bool) -> Event {
    guard let holder = holders[member] else { return .revoked(isLost: true) }
    guard holder.id == id else { return .fenced }
    if isRebalancing {
      if joined.contains(member) { return .nothing }
      if hasPartitions { return .revoked(isLost: false) }
      joined.insert(member)
      finishRebalance()
      return .nothing
    }
    guard !notified.contains(member) else {
      // Another was given the part, by a join that the coordinator has forgotten since.
      return generation == self.generation ? .nothing : .revoked(isLost: true)
    }
    notified.insert(member)
    return .assigned(assignment[member] ?? [])
  }

  /// Gives the group more partitions.
  func grow(to partitions: [TopicPartition]) {
    self.partitions = partitions
    rebalance()
  }

  private func rebalance() {
    isRebalancing = true
    finishRebalance()
  }

  private func finishRebalance() {
    guard joined.isSuperset(of: holders.keys), !holders.isEmpty else { return }
    isRebalancing = false
    generation += 1
    notified = []
    joined = []
    assignment = [:]
    let order = holders.keys.sorted()
    for (i, partition) in partitions.enumerated() {
      assignment[order[i % order.count], default: []].append(partition)
    }
  }

  /// Whether it is who has the place, and knows of the last rebalance.
  func knows(_ member: Membership) -> Bool {
    member.generation == generation && holders[member.member]?.id == member.id
  }
}
