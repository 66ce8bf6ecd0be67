import Kafka
import Platform
import Probes
import Settings
import Worker

/// A process with a member of a worker, and what goes wrong for it.
final class SimulatedProcess {
  /// The rest of the simulation.
  unowned let world: SimulatedWorld
  /// The worker's number, by which the group and the broker know its member.
  let number: Int
  let id: Int
  /// Whether its name is for good.
  let isNamed: Bool
  var chance: Chance
  /// The error of its clock.
  var skewMs: Int64
  private(set) var isDead = false
  var isFrozen = false
  /// The consumers that are open.
  var consumers: [SimulatedConsumer] = []
  /// Its members, of which the last one has the place.
  private(set) var members: [SimulatedMember] = []

  init(_ world: SimulatedWorld, number: Int, id: Int, isNamed: Bool, plan: WorkerPlan, seed: UInt64) {
    self.world = world
    self.number = number
    self.id = id
    self.isNamed = isNamed
    chance = Chance(seed: seed)
    skewMs = Int64(chance.below(400)) - 200
    members = [SimulatedMember(self, plan)]
  }

  /// Nil: the process is gone.
  var member: SimulatedMember? { members.last }
  /// Whether one of its members is in a call.
  var isBusy: Bool { members.contains { $0.isBusy } }
  var isQuiet: Bool { !world.hasFaults }

  /// The ids by which the group hears from it.
  var heartbeats: [Int] { isDead || isFrozen ? [] : consumers.compactMap(\.heartbeat) }

  func isReplaced(_ clients: SimulatedClients) -> Bool { member?.clients !== clients }

  /// Whose leaders take them for no longer than was read.
  var haveNewLeaders: Set<TopicPartition> = []
  /// Has committed commands: nothing that passes may end it from then on.
  var hasCommitted = false
  var openProducers = 0
  var openReaders = 0
  /// The number of times that it has joined the group with new clients.
  var joins = 0

  /// Ends it, and leaves everything that it had begun as it is.
  func die() {
    isDead = true
    if !isBusy { members = [] }
  }

  /// Sends one more request to join, for which nobody waits any more.
  func joinLate() {
    world.kafka.deliverLate { [group = world.kafka.group, number, id] in group.join(number, process: id) }
  }

  /// Its member hangs in a call, so another takes the place.
  func handOver() { if let member { members.append(SimulatedMember(handedOverFrom: member)) } }

  /// SIGTERM.
  func stop() {
    member?.stop()
    if isDead, !isBusy { members = [] }
  }

  func step() {
    for member in members where !member.isBusy && !isDead { member.step() }
    guard !isDead else { return members = isBusy ? members : [] }
    members = members.enumerated().filter { $0.offset == members.count - 1 || !$0.element.hasEnded }.map(\.element)
  }

  // MARK: Calls

  /// The error of a call, by what is asked for; nil: none.
  var refuse: (String) -> KafkaError? = { _ in nil }

  func strikes(oneIn count: Int) -> Bool { !isQuiet && chance.one(in: count) }
  var refusal: KafkaError { chance.one(in: 2) ? .fenced : .aborting }

  /// Something that is not known to have gone wrong.
  func trouble() -> KafkaError? {
    guard strikes(oneIn: 80) else { return nil }
    return KafkaError.passing[chance.below(KafkaError.passing.count)]
  }

  /// Others go on while it is in a call, and it may end there.
  func pass() { if !isDead { world.goOn(during: self) } }

  func live() throws(KafkaError) {
    pass()
    if isDead { throw .gone }
  }

  /// Asks a broker.
  func call(_ what: String) throws(KafkaError) {
    try live()
    if world.kafka.isPasswordWrong { throw .wrongPassword }
    if world.kafka.areRightsGone { throw .noRight }
    if let error = refuse(what) { throw error }
    if let error = trouble() {
      world.note("\(self.name): \(what): \(error.name)")
      throw error
    }
  }

  var name: String { "worker \(number) in process \(id)" }
}

/// One that has a member's place, or had it.
final class SimulatedMember {
  let clients: SimulatedClients
  private let context: MemberContext<SimulatedClients>
  private let stopping: StopSignal
  private var life: MemberLife<SimulatedClients>
  private(set) var isBusy = false
  private(set) var hasEnded = false
  private(set) var error: (any Error)?
  /// Whether its process had committed commands when it ended by that error. One that hangs in a call may do so later.
  private(set) var hadCommitted = false
  private var restsUntilMs: Int64 = 0
  private var process: SimulatedProcess { clients.process }

  init(_ process: SimulatedProcess, _ plan: WorkerPlan) {
    clients = SimulatedClients(process)
    let world = process.world
    context = MemberContext(
      clients, plan: plan, number: process.number, log: world.log, metrics: world.metrics())
    stopping = StopSignal()
    life = MemberLife(context, stopping: stopping)
  }

  init(handedOverFrom other: SimulatedMember) {
    clients = SimulatedClients(other.clients.process)
    context = other.context.handedOver(clients)
    stopping = other.stopping
    life = MemberLife(context, stopping: stopping)
  }

  func step() {
    let nowMs = process.world.nowMs
    guard !hasEnded, nowMs >= restsUntilMs else { return }
    isBusy = true
    defer { isBusy = false }
    do {
      if let waitMs = try life.step() {
        restsUntilMs = process.world.nowMs + waitMs
      } else {
        hasEnded = true
      }
    } catch {
      hasEnded = true
      (self.error, hadCommitted) = (error, process.hasCommitted)
    }
  }

  /// SIGTERM.
  func stop() {
    stopping.set()
    restsUntilMs = 0
    step()
  }

  /// Whether all that the group gave it is at work.
  var isSettled: Bool { !hasEnded && life.withMember { $0.isSettled } ?? false }

  /// Whether it has done what is due.
  func isAtRest(nowMs: Int64) -> Bool {
    !hasEnded
      && life.withMember { $0.isSettled && !$0.hasWork(nowMs: nowMs) && $0.nextIdleDeadline > nowMs + process.skewMs }
        ?? false
  }

  /// Whether what its transactional ids left hanging is known to it.
  var knowsPast: Bool { isBusy || life.knowsPast() }

  /// The partitions at work.
  var running: [TopicPartition] {
    life.withMember { member in
      member.phases.filter { $0.value == .running }.map(\.key).sorted()
    } ?? []
  }

  /// Records that wait for a transaction.
  var waitingRecords: Int { life.withMember { $0.outbox.entries.count } ?? 0 }

  /// The partitions that it has a state of.
  var partitions: [TopicPartition] { life.withMember { $0.phases.keys.sorted() } ?? [] }

  func figures(of partition: TopicPartition) -> RoomFigures? {
    life.withMember { member in
      member.task(partition).map {
        RoomFigures(
          clock: $0.clock, nextDeadline: $0.nextDeadline, liveRooms: $0.liveRoomCount, queued: $0.queued,
          rooms: $0.roomCount, eventIds: $0.eventIdCount)
      }
    } ?? nil
  }

  /// The partitions that rest, since a tool set them back.
  var resting: [TopicPartition] { life.withMember { $0.resting.map(\.partition) } ?? [] }

  var timersFired: Int64 { life.withMember { $0.counts.timersFired } ?? 0 }
}
