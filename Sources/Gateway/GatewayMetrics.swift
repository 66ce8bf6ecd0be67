import HTTP
import KafkaProbes
import Probes
import Synchronization

/// A gateway's metrics; dashboards use their names.
final class GatewayMetrics: Sendable {
  /// Reasons of refusals; labels of `flyscreen_gateway_refused_total`.
  enum Refusal: String, CaseIterable {
    case notReady = "not_ready"
    case badRequest = "bad_request"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case unauthorized, forbidden
    case kindNotAllowed = "kind_not_allowed"
    case unsupportedMediaType = "unsupported_media_type"
    case misdirected
    case tooOld = "too_old"
    case tooManyStreams = "too_many_streams"
    case tooManyEvents = "too_many_events"
    case tooManySnapshots = "too_many_snapshots"
    case notDelivered = "not_delivered"

    var status: Status {
      switch self {
      case .badRequest: .badRequest
      case .unauthorized: .unauthorized
      case .forbidden, .kindNotAllowed: .forbidden
      case .notFound: .notFound
      case .methodNotAllowed: .methodNotAllowed
      case .unsupportedMediaType: .unsupportedMediaType
      case .misdirected: .misdirected
      case .tooOld: .gone
      case .tooManyStreams, .tooManyEvents, .tooManySnapshots: .tooManyRequests
      case .notReady, .notDelivered: .serviceUnavailable
      }
    }
  }

  let registry: Metrics
  let threads: ThreadTimes
  let feedClient: ClientMetrics
  let loopDelay: Histogram
  let aheadMs = Gauge()
  let commandsRead: Counter
  let commitToGateway: Histogram
  let lag: Gauge
  let hanging: HangingTransactions
  let snapshots: Counter
  let resumed: Counter
  let nextAnswers: Counter
  let eventsAccepted: Counter
  let droppedResults: Counter
  private let streams: Gauge
  private let gathering: Gauge
  private let deliveries: Counter
  private let skippedEvents: Counter
  private let replacements: Counter
  private let cut: Counter
  private let late: Counter
  private let malformed: Counter
  private let crowded: Counter
  private let gaveWay: Counter
  private let refused: [Refusal: Counter]
  private let skipped: [CommandRecordDecoder.Skip: Counter]
  private let isReachable = Atomic(false)

  private static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  init(_ registry: Metrics, loops: Int, topics: [String]) {
    self.registry = registry
    threads = ThreadTimes(registry, ["feed"] + (0..<loops).map { "loop \($0)" })
    hanging = HangingTransactions(registry, topics: topics)
    feedClient = ClientMetrics(registry, kind: "commands")
    loopDelay = registry.histogram(
      "flyscreen_gateway_loop_delay_seconds",
      "Delay of a loop's due work, sampled each half second; high: the loop is overloaded.",
      bounds: Self.seconds)
    skipped = Dictionary(
      uniqueKeysWithValues: CommandRecordDecoder.Skip.allCases.map {
        let labels = [("reason", $0.label)]
        return (
          $0,
          registry.counter(
            "flyscreen_gateway_records_skipped_total", "Records of the commands topic that were skipped, by reason.",
            labels)
        )
      })
    commandsRead = registry.counter("flyscreen_gateway_commands_total", "Commands read from the commands topic.")
    commitToGateway = registry.histogram(
      "flyscreen_gateway_delay_seconds", "Time from a command's record to its reading by the gateway, by both clocks.",
      bounds: Self.seconds)
    lag = registry.gauge("flyscreen_gateway_lag_records", "Records of the commands topic that are not yet read.")
    streams = registry.gauge("flyscreen_gateway_streams", "Open streams.")
    gathering = registry.gauge(
      "flyscreen_gateway_gathering_loops",
      "Busy loops, which gather a stream's events into fewer writes (gateway.gatherMs).")
    deliveries = registry.counter("flyscreen_gateway_deliveries_total", "Events handed to streams' sockets.")
    skippedEvents = registry.counter(
      "flyscreen_gateway_dropped_total", "Events dropped because their stream was too slow.")
    replacements = registry.counter(
      "flyscreen_gateway_resyncs_total", "Slow streams resynchronised by a snapshot.")
    cut = registry.counter("flyscreen_gateway_streams_cut_total", "Streams closed because they stayed too slow.")
    snapshots = registry.counter("flyscreen_gateway_snapshots_total", "Snapshots made.")
    resumed = registry.counter("flyscreen_gateway_resumed_total", "Streams resumed from a client's last id.")
    nextAnswers = registry.counter(
      "flyscreen_gateway_next_total", "Answers to clients without streams (GET /rooms/{roomId}/next).")
    eventsAccepted = registry.counter("flyscreen_gateway_events_total", "Posted events that the broker acknowledged.")
    droppedResults = registry.counter(
      "flyscreen_gateway_results_dropped_total", "Results of grabs that a loop was too busy to pass on.")
    late = registry.counter("flyscreen_gateway_timeouts_total", "Connections closed because a request took too long.")
    malformed = registry.counter("flyscreen_gateway_malformed_total", "Requests that were not valid HTTP.")
    crowded = registry.counter(
      "flyscreen_gateway_crowded_total", "Connections closed because their address had too many.")
    gaveWay = registry.counter(
      "flyscreen_gateway_gave_way_total", "Idle connections closed to make room for others.")
    refused = Dictionary(
      uniqueKeysWithValues: Refusal.allCases.map {
        let labels = [("reason", $0.rawValue)]
        return ($0, registry.counter("flyscreen_gateway_refused_total", "Requests refused, by reason.", labels))
      })
    registry.gauge("flyscreen_broker_reachable", "1: a broker answers; 0: none does.") { [weak self] in
      self?.isReachable.load(ordering: .relaxed) == true ? 1 : 0
    }
    registry.gauge("flyscreen_log_ahead_seconds", "Lead of the last command's timestamp over this machine's clock.") {
      [aheadMs] in Double(aheadMs.level) / 1000
    }
    ProcessMetrics.register(in: registry)
  }

  func setReachable(_ isReachable: Bool) { self.isReachable.store(isReachable, ordering: .relaxed) }

  /// Registers what is looked at when somebody asks.
  func watch(connections: ConnectionLimit, _ readiness: Readiness, rooms: @escaping @Sendable () -> Int) {
    registry.gauge("flyscreen_ready", "1: the gateway is ready to serve; 0: it is not.") {
      readiness.probedReason == nil ? 1 : 0
    }
    for reason in Readiness.Reason.allCases {
      registry.gauge(
        "flyscreen_unready", "1 for each reason why the process is not ready, 0 for others.",
        [("reason", reason.rawValue)]
      ) { readiness.probedReason == reason ? 1 : 0 }
    }
    registry.gauge("flyscreen_gateway_connections", "Open connections.") { Double(connections.count) }
    registry.gauge("flyscreen_gateway_rooms", "Rooms whose screens are known.") { Double(rooms()) }
  }

  func countRefusal(_ reason: Refusal) { refused[reason]!.add() }

  func countSkip(_ skip: CommandRecordDecoder.Skip) { skipped[skip]!.add() }

  /// Adds what a loop did since it reported last.
  func add(_ now: LoopCounts, since before: LoopCounts) {
    streams.add(Int64(now.streams.streams - before.streams.streams))
    gathering.add(Int64(now.gathering - before.gathering))
    deliveries.add(Int64(now.streams.sent - before.streams.sent))
    skippedEvents.add(Int64(now.streams.skipped - before.streams.skipped))
    replacements.add(Int64(now.streams.replaced - before.streams.replaced))
    cut.add(Int64(now.streams.cut - before.streams.cut))
    late.add(Int64(now.late - before.late))
    malformed.add(Int64(now.malformed - before.malformed))
    crowded.add(Int64(now.crowded - before.crowded))
    gaveWay.add(Int64(now.gaveWay - before.gaveWay))
  }
}

/// A loop's own counts, told to the metrics now and then.
struct LoopCounts {
  var streams = StreamCounts()
  /// 1: it gathers.
  var gathering = 0
  var late = 0
  var malformed = 0
  var crowded = 0
  var gaveWay = 0
}
