import Kafka
import Probes
import Recovery
import Replay
import RoomModel
import Settings
import Worker

extension Subcommand {
  static let check = Subcommand(
    name: "check",
    summary: "lists everything that is wrong with settings, topics and rights; changes nothing",
    note:
      "Rights are tried, as a worker and a gateway need them: it reads savepoints alone, joins no group, and writes one"
      + "\ntransaction that it aborts. What can't be tried is listed as not checked.",
    settings: Configuration.allGroups,
    tellsAllProblems: true
  ) { invocation in
    let servers = try invocation.configuration.bootstrapServers()
    var check = try Check(invocation.configuration)
    return try check.run(servers, misspelled: ConfigurationReader.ofThisProgram.misspelled(invocation.environment))
  }
}

/// All that can be known before anything works.
private struct Check: ~Copyable {
  private let configuration: Configuration
  private let properties: KafkaProperties
  private let admin: Admin
  private var wrong: [String] = []
  /// The number of partitions, by topic; only of topics that are there.
  private var partitions: [String: Int] = [:]
  /// A broker that leads some partition, so that it can be asked for its settings.
  private var leader: Int32?

  private static let clientId = "flyscreen-check"
  private static let timeoutMs: Int32 = 10_000

  init(_ configuration: Configuration) throws(KafkaError) {
    let properties = try KafkaProperties(configuration.kafka)
    let admin = try Admin(properties: properties, clientId: Self.clientId, log: { _ in })
    self.configuration = configuration
    self.properties = properties
    self.admin = admin
  }

  /// - Parameter misspelled: Names in the environment that are nearly one of a setting.
  mutating func run(
    _ servers: String, misspelled: [(variable: String, setting: String)]
  ) throws -> ExitStatus {
    say(.ok, "the settings; the brokers that are asked: \(servers)")
    for (variable, setting) in misspelled {
      say(.warning, "\(variable) in the environment has no effect; the setting nearest to it is \(setting)")
    }
    try checkGatewayFiles()
    try checkTopics()
    checkShare()
    try checkLeaders()
    try checkTimeouts()
    try checkHanging()
    try checkReading()
    for line in MappingCheck.lines(configuration, properties, partitions) { say(line.verdict, line.what) }
    try checkGroup()
    try checkWriting()
    checkGroups()
    checkExactness()
    say(.notChecked, "joining the group \(configuration.groupId), so that its members work on undisturbed")
    say(.notChecked, "whether the ports of worker and gateway are free")
    if configuration.gateway.events.isOn { say(.notChecked, "the right to write what viewers post to a gateway") }
    guard let first = wrong.first else { return .done }
    throw CommandFailure(.usage, first + (wrong.count > 1 ? " (and more, see above)" : ""))
  }

  private mutating func say(_ verdict: CheckVerdict, _ what: String) {
    if verdict == .wrong { wrong.append(what) }
    let padding = String(repeating: " ", count: 13 - verdict.rawValue.count)
    print("\(verdict.rawValue)\(padding)\(what)")
  }

  /// The files that a gateway with these settings reads at its start.
  private mutating func checkGatewayFiles() throws {
    do {
      let files = try GatewayFiles(configuration.gateway, Log(sink: { _ in }))
      for warning in files.warnings { say(.warning, warning) }
    } catch let failure as CommandFailure {
      say(.wrong, failure.reason)
    }
  }

  // MARK: Topics

  private mutating func checkShare() {
    let (topic, share) = (configuration.topics.commands, configuration.gateway.partitions)
    guard let count = partitions[topic], let beyond = share.first(where: { $0 >= count }) else { return }
    say(.wrong, "gateway.partitions has \(beyond), and \(topic) has the partitions 0…\(count - 1); give some of those")
  }

  /// What a broker tells of the topics.
  private struct Told {
    var partitions: [String: Int] = [:]
    var settings: [String: [String: String]] = [:]
    var missing: [String] = []
    /// Topics that may not be seen.
    var hidden: [(topic: String, why: KafkaError)] = []
    /// Topics whose settings may not be seen.
    var veiled: [String: KafkaError] = [:]
    /// Lines, where all topics can be seen.
    var differences: [String] = []

    var isAsItShouldBe: Bool { missing.isEmpty && differences.isEmpty }
  }

  private mutating func checkTopics() throws {
    let told = try MetadataGrace.ask {
      try tell()
    } until: {
      $0.isAsItShouldBe
    }
    partitions = told.partitions
    for topic in told.missing { say(.wrong, "\(topic) is not there: flyscreen topics create makes it") }
    for (topic, why) in told.hidden {
      say(.wrong, "\(topic) can't be seen: give the right to describe it (\(why))")
    }
    for (topic, refusal) in told.veiled.sorted(by: { $0.key < $1.key }) {
      say(.warning, "the settings of \(topic) can't be seen: give the right to describe its configuration (\(refusal))")
    }
    for difference in told.differences { say(.wrong, difference) }
    for line in properties.unpackWarnings(of: configuration.topics.input, told.settings) { say(.warning, line) }
    if told.hidden.isEmpty, told.isAsItShouldBe {
      say(.ok, "\(told.partitions.count) topics are there, as they should be")
    }
  }

  private func tell() throws(KafkaError) -> Told {
    var told = Told()
    for name in TopicPlan.names(configuration.topics) {
      do throws(KafkaError) {
        told.partitions[name] = try admin.partitionCount(of: name, timeoutMs: Self.timeoutMs)
      } catch {
        switch error.kind {
        case .unknownTopic: told.missing.append(name)
        case .authorization: told.hidden.append((name, error))
        case .unreachable, .authentication, .fenced, .settings, .other: throw error
        }
      }
    }
    let answers = try admin.describe(told.partitions.keys.sorted(), timeoutMs: Self.timeoutMs)
    (told.settings, told.veiled) = (answers.settings, answers.refusals)
    // Another broker than the one that knows its partitions, which hasn't heard of it yet.
    for (topic, refusal) in answers.refusals where refusal.kind == .unknownTopic {
      told.partitions[topic] = nil
      told.veiled[topic] = nil
      told.missing.append(topic)
    }
    guard told.hidden.isEmpty else { return told }
    let existing = told.partitions.reduce(into: [String: TopicPlan.Existing]()) {
      $0[$1.key] = TopicPlan.Existing(partitions: $1.value, settings: told.settings[$1.key] ?? [:])
    }
    told.differences =
      TopicPlan(configuration.topics, existing: existing).differences
      + OutputLimits.objections(to: told.settings, of: configuration)
    return told
  }

  private mutating func checkLeaders() throws {
    for topic in partitions.keys.sorted() {
      let leaders = try MetadataGrace.ask { () throws(KafkaError) in
        try admin.leaders(of: topic, timeoutMs: Self.timeoutMs)
      }
      if leader == nil { leader = leaders.compactMap(\.self).first }
      let without = leaders.indices.filter { leaders[$0] == nil }
      guard !without.isEmpty else { continue }
      say(
        .wrong,
        "\(topic) has no leader for partition \(without.map(String.init).joined(separator: ", ")):"
          + " bring its broker back")
    }
  }

  /// Compares timeouts with the bounds beyond which a broker refuses a member or a producer.
  private mutating func checkTimeouts() throws {
    guard let leader else { return }
    let bounds: [String: String]
    do throws(KafkaError) {
      bounds = try admin.settings(ofBroker: leader, timeoutMs: Self.timeoutMs)
    } catch {
      guard error.kind == .authorization || error.isUnsupported else { throw error }
      return say(
        .notChecked,
        "whether brokers take the timeouts of the session and of transactions: it needs the right to"
          + " describe the cluster's configuration")
    }
    for (name, lowest, highest) in [
      ("session.timeout.ms", "group.min.session.timeout.ms", "group.max.session.timeout.ms"),
      ("transaction.timeout.ms", "", "transaction.max.timeout.ms"),
    ] {
      guard let value = properties.workers(name).flatMap({ Int($0) }) else { continue }
      let (low, high) = (bounds[lowest].flatMap { Int($0) }, bounds[highest].flatMap { Int($0) })
      if let low, value < low {
        say(.wrong, "kafka.\(name) is \(value), and brokers take no less than \(low) (\(lowest)): raise it")
      } else if let high, value > high {
        say(.wrong, "kafka.\(name) is \(value), and brokers take no more than \(high) (\(highest)): lower it")
      } else {
        say(.ok, "brokers take kafka.\(name) \(value)")
      }
    }
  }

  /// Seconds; longer than workers' own transactions take.
  private static let betweenLooksSeconds = 6

  private mutating func checkHanging() throws {
    var survey = try HangingSurvey(configuration, properties, clientId: Self.clientId)
    let places = try survey.partitions()
    let hanging = try survey.hanging(in: places, seconds: Self.betweenLooksSeconds)
    for line in survey.notChecked { say(.notChecked, "whether a transaction hangs in \(line)") }
    for (place, ends) in hanging.sorted(by: { $0.key < $1.key }) {
      say(
        .wrong,
        "a transaction hangs in \(place.topic) partition \(place.partition): it is readable to \(ends.readable) and ends at"
          + " \(ends.end); `flyscreen transactions` lists what ends it")
    }
    if hanging.isEmpty { say(.ok, "no transaction hangs in \(places.count) partitions") }
  }

  // MARK: Rights

  /// An empty fetch of each.
  private mutating func checkReading() throws {
    var reader = try Reader(properties: properties, clientId: Self.clientId, staysAtEnd: false, log: { _ in })
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    let unread = Set(configuration.topics.input.map(TopicSettings.deadLetters(of:)))
    for topic in partitions.keys.filter({ !unread.contains($0) }).sorted() {
      let place = TopicPartition(topic, 0)
      do throws(KafkaError) {
        let end = try MetadataGrace.ask { () throws(KafkaError) in
          try reader.queryWatermarks(of: place, timeoutMs: Self.timeoutMs).high
        }
        try reader.start(place, at: .at(end))
      } catch {
        guard error.kind == .authorization else { throw error }
        say(.wrong, "\(topic) can't be read: give the right to read it (\(error))")
        continue
      }
      var isRead = false
      var refusal: KafkaError?
      for _ in 0..<100 where !isRead && refusal == nil {
        reader.receive(into: &batch, events: &events, waitMs: 100)
        isRead = !batch.isEmpty
        batch.removeAll()
        for event in events {
          switch event {
          case .endOfPartition: isRead = true
          case .failed(let error, _) where error.kind == .authorization: refusal = error
          case .failed, .assigned, .revoked: break
          }
        }
        events.removeAll()
      }
      reader.stop(place)
      if let refusal {
        say(.wrong, "\(topic) can't be read: give the right to read it (\(refusal))")
      } else if isRead {
        say(.ok, "\(topic) can be read")
      } else {
        say(.notChecked, "whether \(topic) can be read: its leader gave no answer")
      }
    }
  }

  private mutating func checkGroup() throws {
    let group = configuration.groupId
    let inputs = configuration.topics.input.filter { partitions[$0] != nil }
    let places = inputs.flatMap { topic in (0..<Int32(partitions[topic]!)).map { TopicPartition(topic, $0) } }
    guard !places.isEmpty else { return say(.notChecked, "the offsets of the group \(group): no input can be seen") }
    do throws(KafkaError) {
      let offsets = try GroupOffsets(properties: properties, group: group, clientId: Self.clientId, log: { _ in })
      let committed = try offsets.committed(places, timeoutMs: Self.timeoutMs)
      say(.ok, "the offsets of the group \(group) can be read")
      for line in try NextRecords.lines(committed, properties, clientId: Self.clientId) { say(line.verdict, line.what) }
      try checkSetBack(committed)
    } catch {
      // A broker doesn't name the coordinator to a user who may not know the group, and librdkafka asks on.
      guard error.kind == .authorization || error.isAnswered else { throw error }
      say(
        .wrong,
        "the offsets of the group \(group) can't be read: give the right to read the group, and see that its coordinator"
          + " runs (\(error))")
    }
  }

  /// Compares what something else than a worker committed with how far workers had come.
  private mutating func checkSetBack(_ committed: [CommittedOffset]) throws(KafkaError) {
    let (topics, rewind) = (configuration.topics, configuration.worker.rewind)
    let foreign = committed.filter { found in
      found.offset.map { !CommitMetadata.isWorkers(found.metadata, at: $0) } ?? false
    }
    guard !foreign.isEmpty else { return }
    let known = foreign.filter { found in
      let (helpers, topic) = (topics.helpers, found.partition.topic)
      return [helpers.changelog(of: topic), helpers.journal(of: topic)].allSatisfy { partitions[$0] != nil }
    }
    let reached = try reachedOffsets(
      in: known.map(\.partition), topics.helpers, properties, clientId: Self.clientId, log: { _ in })
    for found in known {
      guard let from = reached[found.partition], let offset = found.offset, offset < from else { continue }
      let setBack = Member.SetBack(partition: found.partition, from: from, to: offset)
      if !rewind.contains("follow"), !rewind.contains(setBack.commit) { say(.wrong, setBack.text) }
    }
  }

  /// One transaction, which is aborted; another without what was refused, until nothing is.
  private mutating func checkWriting() throws {
    let id = "\(configuration.groupId)-check-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    var outputs = configuration.topics.outputs.filter { partitions[$0] != nil }
    do throws(KafkaError) {
      while !outputs.isEmpty,
        let refused = try MetadataGrace.ask({ () throws(KafkaError) in try refusedTopic(of: outputs, id) })
      {
        say(.wrong, "\(refused) can't be written: give the right to write it")
        outputs.removeAll { $0 == refused }
      }
      for topic in outputs { say(.ok, "\(topic) can be written") }
    } catch {
      guard error.kind == .authorization else { throw error }
      say(
        .wrong,
        "no transaction can be made: give the right to write the transactional ids that begin with"
          + " \(configuration.groupId)- (\(error))")
      for topic in outputs { say(.notChecked, "whether \(topic) can be written") }
    }
  }

  /// Nil: all can be written.
  private func refusedTopic(of outputs: [String], _ id: String) throws(KafkaError) -> String? {
    let producer = try TransactionalProducer(
      properties: properties, transactionalId: id, clientId: Self.clientId, outputs: outputs,
      timeoutMs: Self.timeoutMs, log: { _ in })
    defer { _ = producer.close(boundedMs: 1000) }
    try producer.initTransactions(timeoutMs: Self.timeoutMs)
    try producer.begin()
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    for name in outputs { try producer.topic(name).produce(0, key: empty, value: empty) }
    let refused = try producer.awaitDelivery(of: outputs.count, timeoutMs: Self.timeoutMs)
    // The broker knows of no transaction to end if nothing was added to it.
    if refused == nil {
      try producer.abort(timeoutMs: Self.timeoutMs)
    } else {
      try? producer.abort(timeoutMs: Self.timeoutMs)
    }
    return refused
  }

  // MARK: Exactness of explain and replay

  private mutating func checkExactness() {
    for topic in configuration.topics.input where partitions[topic] != nil {
      do {
        let ranges = try TopicRange(topic, properties, helpers: configuration.topics.helpers).partitions(
          nil, from: .beginning, to: .end)
        var exact = 0
        for range in ranges {
          switch range.beginning {
          case .exact: exact += 1
          case .late(_, _, let why):
            if let place = range.exactFrom { say(.ok, "\(place.words(of: range.partition)): \(why)") }
          case .inexact(let why):
            let place = range.exactFrom.map { $0.words(of: range.partition) }
            say(.warning, "\(place ?? "nothing of \(range.partition) is known exactly"): \(why)")
          }
        }
        if exact > 0 { say(.ok, "of \(topic) \(exact) partitions are known exactly, from their first record on") }
      } catch {
        say(.notChecked, "from where on \(topic) is known exactly: \(error)")
      }
    }
  }

  // MARK: Other groups

  private mutating func checkGroups() {
    let (topics, usual) = (configuration.topics, TopicSettings())
    // Another fleet, with inputs of its own, may well write to the same topics.
    guard configuration.groupId != Configuration().groupId, !Set(topics.input).isDisjoint(with: usual.input)
    else { return }
    for (name, topic, other) in [
      ("topics.commands", topics.commands, usual.commands), ("topics.results", topics.results, usual.results),
    ] where topic == other {
      say(
        .warning,
        "the group \(configuration.groupId) writes to \(topic), as the group \(Configuration().groupId) does unless it is"
          + " told otherwise: with both, viewers see everything twice; give \(name) a topic of its own")
    }
  }
}
