package import Probes
internal import Synchronization

/// librdkafka's figures of clients that do the same: for each broker the slowest round trip of any of them, and sums.
///
/// There are as many series as kinds of clients times brokers of the cluster.
package final class ClientMetrics: Sendable {
  private struct State {
    /// Clients by their numbers.
    var clients: [Int: ClientStatus] = [:]
    var brokers: Set<Int64> = []
    var errors: [Int64: [Counter]] = [:]
  }

  private let registry: Metrics
  private let kind: String
  private let state = Mutex(State())

  /// - Parameter kind: the work of these clients, such as `group`.
  package init(_ registry: Metrics, kind: String) {
    self.registry = registry
    self.kind = kind
    read("flyscreen_kafka_queue_records", "Records that wait in librdkafka's queues.") { state in
      Double(state.clients.values.reduce(0) { $0 + $1.queuedRecords })
    }
    read("flyscreen_kafka_queue_bytes", "Bytes that wait in librdkafka's queues.") { state in
      Double(state.clients.values.reduce(0) { $0 + $1.queuedBytes })
    }
  }

  /// Takes the figures of a client. A client that takes its place has its number.
  package func update(_ client: Int, _ json: UnsafeRawBufferPointer) {
    guard let status = ClientStatus(json) else { return }
    let new = state.withLock { state in
      let new = Set(status.brokers.keys).subtracting(state.brokers)
      state.brokers.formUnion(new)
      return new
    }
    for broker in new.sorted() { register(broker) }
    state.withLock { state in
      for (number, broker) in status.brokers {
        let before = state.clients[client]?.brokers[number]?.errors ?? .init()
        for (kind, counter) in zip(ClientStatus.Errors.kinds, state.errors[number] ?? []) {
          let (now, then) = (kind.count(broker.errors), kind.count(before))
          // Another client in its place begins at 0.
          counter.add(now >= then ? now - then : now)
        }
      }
      state.clients[client] = status
    }
  }

  /// The client is no more.
  package func remove(_ client: Int) { state.withLock { $0.clients[client] = nil } }

  private func register(_ broker: Int64) {
    let labels = [("broker", String(broker))]
    let counters = ClientStatus.Errors.kinds.map { kind in
      registry.counter(
        "flyscreen_kafka_errors_total", "Errors of a broker's connections, by kind.",
        [("client", self.kind)] + labels + [("kind", kind.name)])
    }
    state.withLock { $0.errors[broker] = counters }
    read("flyscreen_kafka_connections", "Clients that are connected to a broker.", labels) { state in
      Double(state.clients.values.count { $0.brokers[broker]?.isConnected ?? false })
    }
    read("flyscreen_kafka_requests", "Requests to a broker that have no answer yet.", labels) { state in
      Double(state.clients.values.reduce(0) { $0 + ($1.brokers[broker]?.requests ?? 0) })
    }
    register("50", of: broker) { $0.medianSeconds }
    register("99", of: broker) { $0.slowSeconds }
  }

  private func register(
    _ percentile: String, of broker: Int64, _ seconds: @escaping @Sendable (ClientStatus.Broker) -> Double
  ) {
    read(
      "flyscreen_kafka_round_trip_seconds", "From a request to a broker's answer, in the last 10 s.",
      [("broker", String(broker)), ("percentile", percentile)]
    ) { state in
      state.clients.values.reduce(0) { max($0, $1.brokers[broker].map(seconds) ?? 0) }
    }
  }

  private func read(
    _ name: String, _ help: String, _ labels: Metrics.Labels = [], _ read: @escaping @Sendable (State) -> Double
  ) {
    registry.gauge(name, help, [("client", kind)] + labels) { [weak self] in
      self?.state.withLock { read($0) } ?? 0
    }
  }
}
