import Kafka
import KafkaProbes
import Platform
import Probes
import Settings

/// The thread that reads the commands topic into a store: committed commands only, each partition in its order.
final class CommandFeed: Sendable {
  let readiness = Readiness()
  private let configuration: Configuration
  private let properties: KafkaProperties
  private let metrics: GatewayMetrics
  private let log: Log
  private let stopping: StopSignal
  private let tellsSettings: Bool

  private static let clientId = "flyscreen-gateway"
  /// Milliseconds between two looks for a broker that can't be reached.
  private static let retryMs: Int64 = 500
  private static let timeoutMs: Int32 = 5000
  private static let settingsMs: Int32 = 2000

  init(
    _ configuration: Configuration, _ properties: KafkaProperties, tellsSettings: Bool, _ metrics: GatewayMetrics,
    _ log: Log, _ stopping: StopSignal
  ) {
    self.tellsSettings = tellsSettings
    self.configuration = configuration
    self.properties = properties
    self.metrics = metrics
    self.log = log
    self.stopping = stopping
  }

  /// Reads until it is stopped.
  ///
  /// - Parameter found: gets the store once a broker tells what there is to read, before any of it is read.
  /// - Throws: `KafkaError` for what waiting doesn't mend.
  func run(_ found: (CommandStore) -> Void) throws {
    metrics.threads.begin("feed")
    guard var reader = try connect() else { return }
    metrics.setReachable(true)
    found(reader.store)
    try reader.run(stopping)
  }

  /// Nil: stopped before.
  private func connect() throws -> CommandReader? {
    let servers = try configuration.bootstrapServers()
    var unheardSinceMs: Int64?
    while !stopping.isSet {
      do throws(KafkaError) {
        let reader = try openReader()
        if log.over("broker") { log.info("connected to the broker", .broker(servers)) }
        return reader
      } catch {
        if error.kind == .unknownTopic {
          let nowMs = MonotonicClock.nowMs()
          unheardSinceMs = unheardSinceMs ?? nowMs
          guard nowMs - unheardSinceMs! < MetadataGrace.limitMs else { throw error }
        } else if !error.mayPass {
          throw error
        }
        let trouble =
          error.kind == .unreachable
          ? "no broker can be reached; waiting for one" : "a broker can't tell of the topic; asking again"
        log.once("broker", .warning, trouble, .broker(servers), .error(error))
      }
      stopping.wait(ms: Self.retryMs)
    }
    return nil
  }

  private func openReader() throws(KafkaError) -> CommandReader {
    let (topic, lookbackMs) = (configuration.topics.commands, configuration.gateway.lookbackMs)
    let (total, partitions) = try partitionsToServe(of: topic)
    if tellsSettings { try checkRetention() }
    let (properties, log, count, clients) = (properties, log, partitions.count, metrics.feedClient)
    let open = { () throws(KafkaError) -> Reader in
      try Reader(
        properties: properties, clientId: Self.clientId, partitions: count, statistics: { clients.update(0, $0) },
        log: log.ofClient)
    }
    let reader = try open()
    let watermarks = try reader.watermarks(
      of: partitions, in: topic, lookbackMs: lookbackMs, timeoutMs: Self.timeoutMs)
    let share = configuration.gateway.partitions.isEmpty ? nil : Set(partitions)
    let store = CommandStore(
      topic: topic, RoomRouting(partitions: total, share: share), begins: watermarks.mapValues(\.begin),
      lookbackMs: lookbackMs,
      historyBytes: configuration.gateway.historyBytes, staleAfterMs: configuration.staleAfterMs)
    return CommandReader(
      reader, open: open, store, watermarks, lookbackMs: lookbackMs, readiness, metrics,
      tool: TransactionTool(servers: (try? configuration.bootstrapServers()) ?? ""), log)
  }

  /// Checks that the topics keep what a gateway reads back when it starts.
  private func checkRetention() throws(KafkaError) {
    let topics =
      [configuration.topics.commands] + (configuration.gateway.results.isOn ? [configuration.topics.results] : [])
    let admin = try Admin(properties: properties, clientId: Self.clientId, log: log.ofClient)
    let answers: (settings: [String: [String: String]], refusals: [String: KafkaError])
    do throws(KafkaError) {
      answers = try admin.describe(topics, timeoutMs: Self.settingsMs)
    } catch {
      // The broker has told of the topics, so it is there: an embedded one, say, that knows no settings.
      return log.once("settings", .warning, "can't check the topics' settings", .error(error))
    }
    for topic in topics {
      if let refusal = answers.refusals[topic] {
        // Whether it is there at all is asked next.
        guard refusal.kind == .authorization else { continue }
        log.once(
          "settings of \(topic)", .warning,
          "a topic's settings can't be checked: give the right to describe its configuration", .topic(topic),
          .error(refusal))
      }
      let settings = answers.settings[topic] ?? [:]
      let line =
        TopicRules.compaction(of: topic, settings)
        ?? TopicRules.retention(
          of: topic, settings, needsMs: configuration.gateway.lookbackMs, why: "a gateway reads back gateway.lookbackMs"
        )
      if let line { throw .settings(line) }
    }
  }

  /// Asked for by a client of its own: how much a reader keeps of each partition is settled when it is made.
  private func partitionsToServe(of topic: String) throws(KafkaError) -> (count: Int32, partitions: [Int32]) {
    let wanted = configuration.gateway.partitions
    let admin = try Admin(properties: properties, clientId: Self.clientId, log: log.ofClient)
    let count = Int32(try admin.partitionCount(of: topic, timeoutMs: Self.timeoutMs))
    guard wanted.allSatisfy({ $0 < count }) else {
      throw .settings(
        "gateway.partitions: \(topic) has the partitions 0…\(count - 1); give some of those, or none for all")
    }
    return (count, wanted.isEmpty ? Array(0..<count) : wanted)
  }
}
