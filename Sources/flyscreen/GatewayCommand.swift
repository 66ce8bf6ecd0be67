import Gateway
import Glibc
import HTTP
import Probes
import Settings

extension Command {
  static let gateway = Command(
    name: "gateway",
    summary: "serves command streams and the page, until SIGTERM",
    settings: ["gateway", "topics", "log", "kafka"]
  ) { invocation in
    let configuration = invocation.configuration
    _ = try configuration.bootstrapServers()
    let log = Log(configuration.logging)
    var end = EndSignal()
    OpenFiles.raise(for: configuration.gateway.limits.connections, log)
    do {
      let files = try GatewayFiles(configuration.gateway, log)
      let run = try Gateway(configuration, authorizer: files.authorizer, tls: files.tls, log: log)
        .start { kill(getpid(), SIGTERM) }
      while !end.wait(ms: 1000) { files.look() }
      try run.stop()
      return .done
    } catch let error as PortError {
      throw CommandFailure(.usage, "\(error)")
    }
  }
}

/// How many files the process may have open: each connection is one.
private enum OpenFiles {
  /// What there is beside connections.
  private static let others = 200

  /// As many as are needed and the system allows; says so if these are too few.
  static func raise(for connections: Int, _ log: Log) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let wanted = rlim_t(connections + others)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      setrlimit(resource, &limit)
    }
    guard limit.rlim_cur < wanted else { return }
    log.warning(
      "\(limit.rlim_cur) files may be open, too few for \(connections) connections; raise the limit (ulimit -Hn,"
        + " LimitNOFILE) or lower gateway.limits.connections")
  }
}
