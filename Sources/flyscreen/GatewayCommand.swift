import Gateway
import Glibc
import HTTP
import Probes
import Settings

extension Subcommand {
  static let gateway = Subcommand(
    name: "gateway",
    summary: "serves viewers' streams of commands, and the page; on SIGTERM clients go to other gateways",
    settings: ["gateway", "topics", "log", "kafka"]
  ) { invocation in
    var configuration = invocation.configuration
    _ = try configuration.bootstrapServers()
    let log = Log(configuration.logging)
    var end = EndSignal()
    configuration.gateway.limits.connections = OpenFiles.connections(
      upTo: configuration.gateway.limits.connections, log)
    do {
      let files = try GatewayFiles(configuration.gateway, log)
      let metrics = Metrics()
      BuildInfo.register(in: metrics)
      let gateway = try Gateway(
        configuration, authorizer: files.authorizer, tls: files.tls, gifts: files.gifts, tellsSettings: true,
        metrics: metrics, log: log)
      let run = gateway.start { kill(getpid(), SIGTERM) }
      while !end.wait(ms: 1000) { files.reload() }
      try run.stop(atOnce: end.isInterrupt)
      return .done
    } catch let error as PortError {
      throw CommandFailure(.usage, "\(error)")
    }
  }
}

/// The limit of open files: each connection is one.
private enum OpenFiles {
  /// Files beside connections.
  private static let others = 200

  /// The number of connections that there may be, of those asked for. The system's limit is raised for them; where that
  /// is not enough it is said, and there are fewer: one that can't be accepted would keep a loop busy for nothing.
  static func connections(upTo connections: Int, _ log: Log) -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return connections }
    let wanted = rlim_t(connections + others)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      setrlimit(resource, &limit)
    }
    guard limit.rlim_cur < wanted else { return connections }
    let possible = max(1, Int(limit.rlim_cur) - others)
    log.warning(
      "\(limit.rlim_cur) files may be open, so there are \(possible) connections at most and not \(connections);"
        + " raise the limit (ulimit -Hn, LimitNOFILE) or lower gateway.limits.connections")
    return possible
  }
}
