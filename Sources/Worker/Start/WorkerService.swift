internal import Kafka
internal import Platform
package import Probes
package import Settings
internal import Synchronization

/// A worker: members of the consumer group, each on a thread of its own, and the probes beside them.
package final class WorkerService: Sendable {
  private let configuration: Configuration
  private let properties: KafkaProperties
  private let tellsSettings: Bool
  private let log: Log
  private let stopping = StopSignal()
  private let finished = StopSignal()
  private let metrics: WorkerMetrics
  private let probes: ProbeServer
  private let failure = Mutex<(any Error)?>(nil)

  /// The time between two looks for a broker that can't be reached.
  private static let retryMs: Int64 = 500
  /// The time that a member has for its end: a last commit, leaving the group.
  private static let patienceMs: Int64 = 15_000

  /// - Parameter tellsSettings: Whether the broker knows its topics' settings; an embedded one doesn't.
  /// - Throws: `KafkaError` of kind `.settings`, `PortError` for a port that is taken.
  package init(
    _ configuration: Configuration, tellsSettings: Bool = true, metrics registry: Metrics = Metrics(), log: Log
  ) throws {
    self.configuration = configuration
    self.tellsSettings = tellsSettings
    self.log = log
    properties = try KafkaProperties(configuration.kafka)
    let metrics = WorkerMetrics(
      registry, topics: configuration.topics, settings: configuration.logSettings, log)
    self.metrics = metrics
    probes = try ProbeServer(
      port: configuration.worker.httpPort, address: configuration.worker.httpAddress,
      health: { metrics.health.unhealthiness }, readiness: { metrics.health.reasons }, metrics: registry, log: log)
    log.info("probes are served", .port(probes.port))
  }

  /// Begins to work, on threads of its own. `ended` is called on one of them once it works no more, for whatever reason.
  package func start(ended: @escaping @Sendable () -> Void) -> Run {
    Run(
      service: self,
      thread: SystemThread { [self] in
        do {
          try work()
        } catch {
          failure.withLock { $0 = error }
        }
        finished.set()
        ended()
      })
  }

  /// A worker that was started.
  package struct Run: Sendable {
    let service: WorkerService
    let thread: SystemThread

    /// Hands over and ends.
    ///
    /// - Throws: The error that has ended it before: a ``WorkerError`` that waiting does not mend, or a `KafkaError`
    ///   that nobody foresaw.
    package func stop() throws {
      service.stopping.set()
      // A thread that hangs in librdkafka is left to the end of the process; the next owner settles its transaction.
      service.finished.wait(ms: WorkerService.patienceMs + 2 * WorkerService.retryMs)
      if service.finished.isSet { thread.join() }
      if let failure = service.failure.withLock({ $0 }) { throw failure }
    }
  }

  private func work() throws {
    defer { probes.stop() }
    guard let plan = try makePlan() else { return }
    let members = MemberCount(
      asked: configuration.worker.members, cores: .current(), partitions: plan.layout.inputPartitions)
    log.info("the worker begins", .worker(plan.name), .members(members.count), .reason(members.reason))
    metrics.begin(members: members.count)
    let watch = LagWatch(plan, members: members.count, metrics, log)
    _ = SystemThread { [stopping] in watch.run(stopping) }
    let contexts = (0..<members.count).map {
      MemberContext(BrokerClients(), plan: plan, number: $0, log: log, metrics: metrics)
    }
    let seats = contexts.map { context in
      MemberSeat(context, newClients: { BrokerClients() }) { [self] error in
        failure.withLock { if $0 == nil { $0 = error } }
        stopping.set()
      } work: { [stopping] context in
        try MemberLife.run(context, stopping: stopping)
      }
    }
    var stuck = StuckMembers(plan, seats, contexts[0])
    var endMs = Int64.max
    while let working = seats.first(where: { !$0.ended.isSet }) {
      working.ended.wait(ms: Self.retryMs)
      stuck.look(isStopping: stopping.isSet)
      guard stopping.isSet else { continue }
      let nowMs = MonotonicClock.nowMs()
      if endMs == .max { endMs = nowMs + Self.patienceMs }
      if nowMs >= endMs {
        log.warning("member \(working.number) did not stop in \(Self.patienceMs / 1000) s; ending without it")
        break
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    log.info("the worker has ended", .worker(plan.name))
  }

  /// Nil: it was stopped before a broker could be reached.
  private func makePlan() throws -> WorkerPlan? {
    let topics = configuration.topics
    let isNamed = !configuration.worker.id.isEmpty
    let name = isNamed ? configuration.worker.id : String(UInt64.random(in: .min ... .max), radix: 36)
    let servers = try configuration.bootstrapServers()
    let clientLog: ClientLog = { [log] line in
      let text = "librdkafka: \(line.facility): \(line.text)"
      log.debug(text)
    }
    let check = try TopicCheck(
      properties: properties, clientId: "flyscreen-\(name.prefix(30))", tellsSettings: tellsSettings, log: log,
      clientLog: clientLog)
    var objected = Standing()
    while !stopping.isSet {
      do {
        let (layout, limits) = try check.look(configuration)
        return WorkerPlan(
          properties: properties, group: configuration.groupId, name: name, isNamed: isNamed, topics: topics,
          layout: layout, limits: limits, settings: configuration.logSettings,
          pace: .init(
            commitMs: configuration.worker.commitMs, catchUpCommitMs: configuration.worker.catchUpCommitMs),
          checkpointMs: configuration.worker.checkpointMs, begin: configuration.worker.begin,
          rewind: configuration.worker.rewind, servers: servers,
          clientLog: clientLog)
      } catch let error as WorkerError {
        guard objected.holds(nowMs: MonotonicClock.nowMs()) < MetadataGrace.limitMs else { throw error }
        log.once("objection", .warning, "looking at the topics again: \(error)")
      } catch let error as KafkaError {
        guard error.mayPass else { throw error }
        // Brokers that come up one after the other may each have an old answer.
        objected.ends()
        if error.kind == .unreachable {
          metrics.health.unanswered(servers, error)
        } else {
          metrics.health.failing(
            Health.worker, "a broker can't tell of the topics; asking again", error, .topicsUnknown)
        }
      }
      stopping.wait(ms: Self.retryMs)
    }
    return nil
  }
}
