import Kafka
import Settings
import Wire
import Worker

/// The clients of one member of a simulated worker, whose calls are answered by ``SimulatedKafka``. In each of them others
/// may go on meanwhile, and the process may end.
final class SimulatedClients: MemberClients, @unchecked Sendable {
  let process: SimulatedProcess
  var kafka: SimulatedKafka { process.world.kafka }
  fileprivate(set) var consumer: SimulatedConsumer?
  /// All that the worker's transactions left was ended when it looked last at ends of partitions.
  var sawEnded = false
  /// Offsets that it asked for last were pending then.
  var sawPendingOffsets = false
  /// The worker has asked for the end of a partition without a leader.
  var hasMissedLeader = false
  /// The latest time that its clock has shown.
  private(set) var latestWallMs = Int64.min
  /// One of its producers was fenced: another may have its place, and others of its name would fence that one.
  fileprivate(set) var mustAsk = false
  /// The last answer to who has its place, and when it came.
  fileprivate(set) var told: (holder: Int?, atMs: Int64) = (nil, 0)
  /// The open transaction, with the partitions that were read since it began.
  private(set) var openTransaction: (id: Int?, partitions: Set<TopicPartition>) = (nil, [])

  init(_ process: SimulatedProcess) { self.process = process }

  func consumer(_ context: MemberContext<SimulatedClients>) throws(KafkaError) -> SimulatedConsumer {
    try process.live()
    let consumer = SimulatedConsumer(self)
    self.consumer = consumer
    mustAsk = false
    return consumer
  }

  func reader(_ context: MemberContext<SimulatedClients>) throws(KafkaError) -> SimulatedReader {
    try process.live()
    return SimulatedReader(self)
  }

  func producer(
    _ context: MemberContext<SimulatedClients>, _ limits: OutputLimits, _ turn: ProducerTurn
  ) throws(KafkaError) -> SimulatedProducer {
    try process.call("a new producer")
    if kafka.isLoading { throw .loading }
    if mustAsk { process.world.breach("\(process.name) makes producers anew, and has not asked who has its place") }
    return SimulatedProducer(self, turn, batchBytes: limits.batchBytes)
  }

  func admin(_ context: MemberContext<SimulatedClients>) throws(KafkaError) -> SimulatedAdmin {
    SimulatedAdmin(self)
  }

  func watch(_ context: MemberContext<SimulatedClients>) throws(KafkaError) -> SimulatedWatch { SimulatedWatch(self) }

  func monotonicMs() -> Int64 { process.world.nowMs }

  func wallMs() -> Int64 {
    let nowMs = process.world.nowMs + process.skewMs
    latestWallMs = max(latestWallMs, nowMs)
    return nowMs
  }

  func random() -> UInt64 { process.chance.next() }

  func began(_ transaction: Int) {
    openTransaction = (transaction, Set(consumer?.places.keys.map { $0 } ?? []))
  }

  fileprivate func reads(_ partition: TopicPartition) { openTransaction.partitions.insert(partition) }

  func fenced() { mustAsk = process.isNamed }
}

final class SimulatedAdmin: MemberAdmin {
  private let clients: SimulatedClients

  init(_ clients: SimulatedClients) { self.clients = clients }

  func describeGroup(_ group: String, timeoutMs: Int32) throws(KafkaError) -> GroupDescription {
    try clients.process.call("describe the group")
    let place = clients.kafka.group.place(of: clients.process.number)
    clients.told = (place.holder.flatMap { Int($0.id) }, clients.process.world.nowMs)
    if place.holder?.id == clients.consumer?.memberId { clients.mustAsk = false }
    return GroupDescription(coordinator: place.coordinator, members: place.holder.map { [$0] } ?? [])
  }

  func settings(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [String: [String: String]] {
    try clients.process.call("describe \(topic)")
    guard let bytes = clients.kafka.maxBytes[topic], clients.process.chance.one(in: 2) else { return [:] }
    return [topic: ["max.message.bytes": "\(bytes)"]]
  }
}

// MARK: - Batches

/// A record in memory of its own.
struct SimulatedRecord: MemberRecord {
  let source: PartitionKey
  let offset: Int64
  let timestampMs: Int64
  let key: UnsafeRawBufferPointer?
  let value: UnsafeRawBufferPointer?
  let allHeaders: [(name: String, value: UnsafeRawBufferPointer?)]

  init(_ source: PartitionKey, _ offset: Int64, _ entry: SimulatedKafka.Entry) {
    self.source = source
    self.offset = offset
    timestampMs = entry.timestampMs
    key = Self.copy(entry.key)
    value = Self.copy(entry.value)
    allHeaders = entry.headers.map { ($0.name, Self.copy($0.value)) }
  }

  private static func copy(_ bytes: [UInt8]?) -> UnsafeRawBufferPointer? {
    guard let bytes else { return nil }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }

  /// Overwrites the bytes before it frees them, so that a late reader sees others.
  func free() {
    for bytes in [key, value] + allHeaders.map(\.value) {
      guard let bytes else { continue }
      UnsafeMutableRawBufferPointer(mutating: bytes).initializeMemory(as: UInt8.self, repeating: 0xFF)
      bytes.deallocate()
    }
  }

  func lastHeader(_ name: String) -> UnsafeRawBufferPointer? { allHeaders.last { $0.name == name }?.value }

  func hasHeader(_ name: String, otherThan text: String) -> Bool {
    lastHeader(name).map { !$0.elementsEqual(text.utf8) } ?? false
  }
}

/// The base of consumers and readers: it reads partitions on, a few records at a time.
class SimulatedSource: BatchSource {
  struct Place {
    var next: Int64
    /// The end that was told last.
    var toldEnd: Int64 = -1
    /// The log's end, as of the last fetch.
    var cachedEnd: Int64?
  }

  let clients: SimulatedClients
  var process: SimulatedProcess { clients.process }
  var kafka: SimulatedKafka { clients.kafka }
  var topics: [String]
  var places: [TopicPartition: Place] = [:]
  private var batch: [SimulatedRecord] = []
  let capacity: Int

  init(_ clients: SimulatedClients, topics: [String]) {
    self.clients = clients
    self.topics = topics
    capacity = 1 + clients.process.chance.below(clients.process.chance.one(in: 4) ? 200 : 5)
  }

  deinit { emptyBatch() }

  var count: Int { batch.count }
  subscript(i: Int) -> SimulatedRecord { batch[i] }

  func emptyBatch() {
    for record in batch { record.free() }
    batch = []
  }

  /// Implemented by each.
  func receive(_ events: inout [ConsumerEvent], waitMs: Int32) {}

  func fill(_ events: inout [ConsumerEvent]) {
    precondition(batch.isEmpty, "a batch is emptied before the next")
    for (partition, place) in places.sorted(by: { $0.key < $1.key }) where !kafka.leaderless.contains(partition) {
      guard process.isQuiet || !process.chance.one(in: 5) else { continue }
      let log = kafka.log(partition)
      if kafka.unreadable.contains(partition), place.next < log.stable {
        places[partition]!.cachedEnd = log.end
        events.append(.failed(.damaged, of: partition))
        continue
      }
      if place.next < log.first {
        places[partition] = nil
        events.append(.failed(.outOfRange, of: partition))
        continue
      }
      var next = firstTold(of: partition, place)
      let source = PartitionKey(topic: topics.firstIndex(of: partition.topic)!, partition: partition.partition)
      while next < log.stable, batch.count < capacity {
        let entry = log.entries[Int(next)]
        if entry.isVisible { batch.append(SimulatedRecord(source, next, entry)) }
        next += 1
      }
      next = max(next, place.next)
      places[partition]!.next = next
      places[partition]!.cachedEnd = end(of: partition, readTo: next)
      if next >= log.stable, place.toldEnd != next {
        places[partition]!.toldEnd = next
        events.append(.endOfPartition(partition, offset: next))
        told(end: next, of: partition)
      }
    }
  }

  func told(end: Int64, of partition: TopicPartition) {}
  /// The end of the log as a fetch tells it.
  func end(of partition: TopicPartition, readTo next: Int64) -> Int64 { kafka.log(partition).end }
  /// The offset from which records are handed out.
  func firstTold(of partition: TopicPartition, _ place: Place) -> Int64 { place.next }

  func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?] {
    try process.call("partitions of \(topic)")
    return (0..<Int32(process.world.partitionCount(of: topic))).map {
      kafka.leaderless.contains(TopicPartition(topic, $0)) ? nil : 1
    }
  }

  func queryWatermarks(
    of partition: TopicPartition, timeoutMs: Int32
  ) throws(KafkaError) -> (low: Int64, high: Int64) {
    try process.call("ends of \(partition)")
    if kafka.leaderless.contains(partition) { throw .leaderAway }
    let log = kafka.log(partition)
    return (log.first, log.stable)
  }

  func cachedEnd(of partition: TopicPartition) -> Int64? { places[partition]?.cachedEnd }
}

// MARK: - The group

final class SimulatedConsumer: SimulatedSource, MemberConsumer {
  /// Its name in the group: that of the worker, or its own.
  private let place: Int
  private(set) var id: Int?
  private var generation = 0
  private(set) var assigned: [TopicPartition] = []
  /// A revocation waits for its answer.
  private var isRevoking = false
  /// The session is over, or another has the place.
  private var isOut = false
  private var isOpen = true
  /// The ends that it was told of, rising.
  private(set) var ends: [TopicPartition: [Int64]] = [:]
  /// The chance of answers that come twice; nil: none do.
  private var again: Chance?

  init(_ clients: SimulatedClients) {
    place = clients.process.isNamed ? clients.process.number : clients.kafka.group.newPlace()
    super.init(clients, topics: clients.process.world.topics.input)
    if var chance = process.world.repeats {
      again = Chance(seed: chance.next() ^ UInt64(process.id << 16 | process.joins))
    }
    process.consumers.append(self)
    process.joins += 1
  }

  /// The id by which the group hears from it; nil: it is in no group.
  var heartbeat: Int? { isOpen && !isOut ? id : nil }
  var memberId: String? { id.map { "\($0)" } }
  var group: SimulatedGroup.Membership { .init(member: place, id: id ?? 0, generation: generation) }
  var wake: @Sendable () -> Void { {} }

  override func receive(_ events: inout [ConsumerEvent], waitMs: Int32) {
    process.pass()
    guard !process.isDead else { return }
    if let error = process.trouble() {
      // One of several brokers, or all.
      return events.append(.failed(error, of: nil))
    }
    if kafka.isPasswordWrong { return events.append(.failed(.wrongPassword, of: nil)) }
    if id == nil { id = kafka.group.join(place, process: process.id) }
    guard !isOut, !isRevoking else { return }
    switch kafka.group.poll(place, id: id!, generation: generation, hasPartitions: !assigned.isEmpty) {
    case .nothing:
      fill(&events)
      tellAgain(&events)
    case .fenced:
      isOut = true
      events.append(.failed(.fencedInstance, of: nil))
    case .revoked(isLost: true):
      isOut = true
      places = [:]
      events.append(.revoked(assigned, lost: true))
    case .revoked(isLost: false):
      fill(&events)
      isRevoking = true
      events.append(.revoked(assigned, lost: false))
    case .assigned(let partitions):
      generation = kafka.group.generation
      assigned = partitions
      events.append(.assigned(partitions))
    }
  }

  override func told(end: Int64, of partition: TopicPartition) {
    ends[partition] = Set(ends[partition, default: []] + [end]).sorted()
  }

  /// Adds second answers.
  private func tellAgain(_ events: inout [ConsumerEvent]) {
    guard !process.isQuiet, again != nil else { return }
    for (partition, place) in places.sorted(by: { $0.key < $1.key }) where again!.one(in: 6) {
      guard let ends = ends[partition]?.filter({ $0 <= place.next }), !ends.isEmpty else { continue }
      events.append(.endOfPartition(partition, offset: ends[again!.below(ends.count)]))
    }
    if !assigned.isEmpty, again!.one(in: 100) { events.append(.assigned(assigned)) }
  }

  override func firstTold(of partition: TopicPartition, _ place: Place) -> Int64 {
    guard !process.isQuiet, again?.one(in: 6) == true else { return place.next }
    return max(kafka.log(partition).first, place.next - Int64(again!.below(5)))
  }

  func assign(_ partitions: [(partition: TopicPartition, offset: StartOffset)]) throws(KafkaError) {
    try process.live()
    if isOut, process.isNamed { throw .fencedInstance }
    places = [:]
    for (partition, offset) in partitions {
      guard case .at(let next) = offset else { preconditionFailure("a member says where it reads") }
      places[partition] = Place(next: next)
      clients.reads(partition)
      if !assigned.contains(partition) { process.world.breach("\(partition) is read, but was never given") }
    }
  }

  func unassign() throws(KafkaError) {
    try process.live()
    places = [:]
    assigned = []
    isRevoking = false
    guard isOut else { return }
    if process.isNamed { process.world.breach("\(process.name) joins again, and has not asked who has its place") }
    // A member without a name joins again by itself.
    isOut = false
    id = nil
  }

  func committed(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    try process.call("what is committed")
    let open = clients.openTransaction
    // Where a group begins a whole topic is asked for, also partitions that work.
    let restored = partitions.filter { places[$0] == nil }
    if !process.isReplaced(clients) {
      kafka.noteRestore(by: process.number, besides: open.partitions.isDisjoint(with: restored) ? open.id : nil)
    }
    if partitions.contains(where: kafka.isUnstable) { throw .timedOut }
    return partitions.map {
      let found = kafka.committed($0)
      return CommittedOffset($0, offset: found?.offset, metadata: found?.metadata)
    }
  }

  func close(boundedMs: Int) -> Bool {
    process.pass()
    isOpen = false
    process.consumers.removeAll { $0 === self }
    // A named member stays until its session ends.
    if !process.isDead, !process.isNamed, let id { kafka.group.remove(place, id: id) }
    return true
  }
}
