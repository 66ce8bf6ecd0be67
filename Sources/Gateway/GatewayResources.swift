import HTTP
import Probes
import Settings
import Synchronization

/// The parts that all loops of a gateway share; each is safe to use from any thread.
final class GatewayResources: Sendable {
  let settings: GatewaySettings
  let authorizer: any Authorizer
  let tls: TLSCertificate?
  let metrics: GatewayMetrics
  let log: Log
  /// Nil: they have a port of their own.
  let probes: ProbeRoutes?
  let connections: ConnectionLimit
  let streamsOfAddresses: AddressCounts
  let clientLimits: ClientLimits
  let clientAddress: ClientAddress
  let crossOrigin: CrossOrigin
  let page: PageFiles
  let activeRooms = ActiveRooms()
  /// Nil: events are not taken.
  let intake: EventIntake?
  /// Nil: results are not passed on.
  let results: ResultStore?
  private let readiness: Readiness
  private let found = Mutex<CommandStore?>(nil)

  init(
    _ settings: GatewaySettings, authorizer: any Authorizer, tls: TLSCertificate?, gifts: GiftCatalogue,
    metrics: GatewayMetrics, log: Log, intake: EventIntake?, results: ResultStore?, readiness: Readiness,
    probes: ProbeRoutes?
  ) {
    self.settings = settings
    self.authorizer = authorizer
    self.tls = tls
    self.metrics = metrics
    self.log = log
    self.intake = intake
    self.results = results
    self.probes = probes
    self.readiness = readiness
    let clientAddress = ClientAddress(trusted: settings.trustedProxies.compactMap(Network.init))
    self.clientAddress = clientAddress
    connections = ConnectionLimit(
      settings.limits.connections, perAddress: settings.limits.connectionsPerAddress,
      isExempt: { clientAddress.isTrusted($0) })
    streamsOfAddresses = AddressCounts(limit: settings.limits.streamsPerAddress)
    clientLimits = ClientLimits(settings.limits)
    crossOrigin = CrossOrigin(settings.corsOrigins)
    page = PageFiles(embedders: settings.frameOrigins, pictures: settings.imageOrigins, gifts: gifts)
  }

  /// Nil: no broker has been reached yet.
  var store: CommandStore? {
    get { found.withLock { $0 } }
    set { found.withLock { $0 = newValue } }
  }

  /// It is to end at once.
  let isHurried = Atomic(false)

  /// Every partition is read back, so that snapshots are whole.
  var isReady: Bool { readiness.unreadiness == nil }

  var serverLimits: ServerLimits {
    var limits = ServerLimits()
    limits.headerBytes = settings.limits.headerBytes
    limits.bodyBytes = settings.limits.bodyBytes
    limits.requestMs = settings.limits.requestMs
    limits.idleMs = settings.limits.idleMs
    limits.lagMs = settings.limits.lagMs
    return limits
  }
}
