import HTTP
import Platform
import Probes
import Settings
import Synchronization

/// One thread of connections: its server, its streams, and the events that were posted on it. All of it is that
/// thread's; what it shares with others is in `GatewayResources` and comes through mailboxes.
final class GatewayLoop {
  /// Results that wait for this loop.
  static let mostResults = 10_000
  /// The time for bytes that are still to be written when the last stream has ended.
  private static let graceMs: Int64 = 3000
  private static let everyMs: Int64 = 500

  private let resources: GatewayResources
  private let events: EventLoop
  /// Results of all users, on their way to the streams here.
  private let results: Mailbox<ResultNews>
  private let posted: PostedEvents
  /// Nil: no broker has been reached yet.
  private var hub: StreamHub<EventStream>?
  private var reported = LoopCounts()

  init(_ resources: GatewayResources, _ events: EventLoop, _ results: Mailbox<ResultNews>) {
    self.resources = resources
    self.events = events
    self.results = results
    posted = PostedEvents(events, resources.settings.eventNames)
  }

  /// The thread's whole life.
  func run(_ socket: ListeningSocket) {
    let routes = Routes(resources, posted) { [unowned self] in openHub() }
    let server = HTTPServer(
      loop: events, socket: socket, limits: resources.serverLimits, connections: resources.connections,
      tls: resources.tls
    ) { routes.handle($0) }
    server.onAcceptFailure = resources.log.ofAccepting
    events.onWake = { [unowned self] in
      posted.deliverOutcomes()
      for news in results.take() { hub?.deliver(news) }
      openHub()?.deliver()
    }
    events.onStop = { [unowned self, unowned server] in end(server) }
    var dueMs = MonotonicClock.nowMs() + Self.everyMs
    events.every(ms: Self.everyMs) { [unowned self, unowned server] in
      let nowMs = MonotonicClock.nowMs()
      resources.metrics.loopDelay.observe(Double(max(0, nowMs - dueMs)) / 1000)
      dueMs = nowMs + Self.everyMs
      hub?.deliver()
      reportCounts(of: server)
    }
    events.run()
    server.close()
    reportCounts(of: server)
  }

  /// A proxy that asks `/readyz` needs a while to see that no more clients are wanted, so it serves on until then.
  private func end(_ server: HTTPServer) {
    server.announceEnd()
    let settings = resources.settings
    let (waitMs, spreadMs) =
      resources.isHurried.load(ordering: .acquiring) ? (0, 0) : (settings.drainMs, settings.drainSpreadMs)
    events.alarm { [unowned self, unowned server] in
      hub?.endNextRequests()
      server.drain(spreadMs: spreadMs, graceMs: Self.graceMs)
    }.ring(afterMs: waitMs)
  }

  private func openHub() -> StreamHub<EventStream>? {
    if hub == nil, let store = resources.store {
      let hub = StreamHub<EventStream>(
        store, resources.results, resources.metrics, resources.streamsOfAddresses, resources.settings)
      let alarm = events.alarm { [unowned hub] in hub.flush() }
      hub.ring = { alarm.ring(afterMs: $0) }
      self.hub = hub
    }
    return hub
  }

  private func reportCounts(of server: HTTPServer) {
    let now = LoopCounts(
      streams: server.streamCounts, gathering: hub?.isGathering == true ? 1 : 0, late: server.lateCount,
      malformed: server.malformedCount, crowded: server.crowdedCount, gaveWay: server.gaveWayCount)
    resources.metrics.add(now, since: reported)
    reported = now
  }
}
