package import HTTP
internal import Kafka
internal import Platform
package import Probes
package import Settings
internal import Synchronization

/// Commands to viewers: reads the commands topic and serves it as streams, with snapshots, the page and the probes.
///
/// Threads, and what belongs to each:
///
/// - One thread is the *feed* (`CommandFeed`): it alone reads the commands topic, and writes what it reads to the
///   `CommandStore`, a partition at a time, under that partition's lock.
/// - `gateway.threads` threads are *loops* (`GatewayLoop`), each with a server, connections and streams that no other
///   thread touches; the kernel shares out connections among them (SO_REUSEPORT). A loop follows the store: woken by the
///   feed, it copies references of what is new, under the lock, and sends them without it. A loop that is slow holds up
///   nobody: the store is bounded, and a loop that lost its place begins anew with snapshots.
/// - With `gateway.events`, one thread is the *intake* (`EventIntake`): it has the producer, takes events from the
///   loops through a bounded box, and puts what became of each in the mailbox of the loop that asked.
/// - With `gateway.results`, one thread (`ResultFeed`) reads the results of grabs, keeps the last of them in the
///   `ResultStore`, and puts them in a bounded mailbox of each loop, which passes them on to the streams that asked for
///   their users'.
///
/// In a loop, `Routes` opens streams at its `StreamHub`, which takes what is new of each partition (`PartitionCursors`)
/// and hands it to its channels (`Channel`: one list of rooms), and a channel to its streams; libevent holds each stream
/// as long as its connection lives. What crosses threads is Sendable by itself: bytes, numbers, `GatewayResources`.
package final class Gateway: Sendable {
  /// The port that it serves.
  package let port: UInt16
  /// The one of its probes, if they have their own.
  package var probesPort: UInt16? { probeServer?.port }
  private let feed: CommandFeed
  private let resources: GatewayResources
  private let intake: EventIntake?
  private let resultFeed: ResultFeed?
  /// Nil: probes are on the same port as all else.
  private let probeServer: ProbeServer?
  private let stopping = StopSignal()
  private let log: Log
  private let sockets: [ListeningSocket]
  private let failure = Mutex<(any Error)?>(nil)

  /// Listens at once, answers once it is started, and has something to tell once a broker can be reached.
  ///
  /// - Parameter tellsSettings: Whether the broker knows its topics' settings; an embedded one doesn't.
  /// - Throws: `KafkaError` of kind `.settings`, `PortError` for a port that is taken.
  package init(
    _ configuration: Configuration, authorizer: any Authorizer = AllowAll(), tls: TLSCertificate? = nil,
    gifts: GiftCatalogue = .empty, tellsSettings: Bool = false, metrics registry: Metrics = Metrics(), log: Log
  ) throws {
    let properties = try KafkaProperties(configuration.kafka)
    let metrics = GatewayMetrics(
      registry, loops: configuration.gateway.threads, topics: [configuration.topics.commands])
    let feed = CommandFeed(configuration, properties, tellsSettings: tellsSettings, metrics, log, stopping)
    self.feed = feed
    self.log = log
    sockets = try ListeningSocket.open(
      port: configuration.gateway.httpPort, address: configuration.gateway.httpAddress,
      count: configuration.gateway.threads, sendBufferBytes: Self.sendBufferBytes)
    port = sockets[0].port
    let results =
      configuration.gateway.results.isOn
      ? ResultStore(lookbackMs: configuration.gateway.lookbackMs, bytes: configuration.gateway.resultsBytes) : nil
    if let results {
      resultFeed = ResultFeed(configuration, results, metrics, log, stopping)
    } else {
      resultFeed = nil
    }
    intake = configuration.gateway.events.isOn ? EventIntake(configuration, log) : nil
    let readiness = feed.readiness
    probeServer = try configuration.gateway.probesPort.map { port in
      try ProbeServer(
        port: port, address: configuration.gateway.httpAddress, readiness: { readiness.probed }, metrics: registry,
        log: log)
    }
    let probes = probeServer == nil ? ProbeRoutes(readiness: { readiness.probed }, metrics: registry) : nil
    resources = GatewayResources(
      configuration.gateway, authorizer: authorizer, tls: tls, gifts: gifts, metrics: metrics, log: log, intake: intake,
      results: results, readiness: readiness, probes: probes)
    metrics.watch(
      connections: resources.connections, readiness,
      rooms: { [weak resources] in resources?.store?.roomCount ?? 0 })
    log.info("the gateway listens", .port(port))
    if let probeServer { log.info("probes are served", .port(probeServer.port)) }
  }

  /// The kernel's memory that a client pins which reads nothing.
  private static let sendBufferBytes: Int32 = 32_768

  /// Begins to serve, on threads of its own. `ended` is called on one of them if it can't go on.
  package func start(ended: @escaping @Sendable () -> Void) -> Run {
    let loops = sockets.enumerated().map { number, socket in
      let events = EventLoop()
      let results = Mailbox<ResultNews>(events, capacity: GatewayLoop.mostResults)
      resultFeed?.add(results)
      let resources = resources
      return (
        events,
        SystemThread {
          resources.metrics.threads.begin("loop \(number)")
          GatewayLoop(resources, events, results).run(socket)
        }
      )
    }
    let feeding = thread(ended) { [self] in
      try feed.run { store in
        for (events, _) in loops { store.add(events) }
        resources.store = store
      }
    }
    let taking = intake.map { intake in thread(ended) { try intake.run() } }
    let passing = resultFeed.map { results in thread(ended) { try results.run() } }
    return Run(
      gateway: self, loops: loops.map(\.0), serving: loops.map(\.1), feeding: [feeding, passing].compactMap(\.self),
      taking: taking)
  }

  private func thread(
    _ ended: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () throws -> Void
  ) -> SystemThread {
    SystemThread { [self] in
      do {
        try body()
      } catch {
        failure.withLock { if $0 == nil { $0 = error } }
        ended()
      }
    }
  }

  /// A gateway that was started.
  package struct Run: Sendable {
    let gateway: Gateway
    let loops: [EventLoop]
    let serving: [SystemThread]
    let feeding: [SystemThread]
    let taking: SystemThread?

    /// Tells whoever asks `/readyz` that it is about to end, serves on for `gateway.drainMs`, ends every stream cleanly
    /// over `gateway.drainSpreadMs`, so that clients go on elsewhere, and returns when all is over.
    ///
    /// - Parameter atOnce: without any of these waits; so it is where it can't go on.
    /// - Throws: Why it could not go on, if so.
    package func stop(atOnce: Bool = false) throws {
      gateway.feed.readiness.end()
      let hasFailed = gateway.failure.withLock { $0 != nil }
      gateway.resources.isHurried.store(atOnce || hasFailed, ordering: .releasing)
      for loop in loops { loop.stop() }
      // Streams get what comes until they are over.
      for thread in serving { thread.join() }
      gateway.stopping.set()
      // The intake stops only now: clients may have waited to hear of an event.
      gateway.intake?.stop()
      for thread in feeding { thread.join() }
      taking?.join()
      gateway.probeServer?.stop()
      if let failure = gateway.failure.withLock({ $0 }) { throw failure }
    }
  }
}
