import Glibc
import HTTP
import Platform
import Probes
import Settings
import Worker

extension Subcommand {
  static let worker = Subcommand(
    name: "worker",
    summary: "turns events into commands: takes its share of the input's partitions until SIGTERM, then hands over",
    options: [
      CommandOption(
        "members", "N", "the same as --worker.members: members of the group in this process, 1…64")
    ],
    settings: Configuration.allGroups.filter { $0 != "gateway" }
  ) { invocation in
    var configuration = invocation.configuration
    configuration.worker.members =
      try invocation.arguments.integer("members", WorkerSettings.membersRange) ?? configuration.worker.members
    _ = try configuration.bootstrapServers()
    try configuration.readMapping()
    var end = EndSignal()
    do {
      let metrics = Metrics()
      BuildInfo.register(in: metrics)
      let log = Log(configuration.logging)
      for warning in configuration.logSettings.mappings?.warnings ?? [] { log.warning("\(warning)") }
      let service = try WorkerService(configuration, metrics: metrics, log: log)
      let run = service.start { kill(getpid(), SIGTERM) }
      let stop = StopSignal()
      defer { stop.set() }
      try ExactnessWatch(configuration, metrics).start(until: stop)
      end.wait()
      stop.set()
      try run.stop()
      return .done
    } catch let error as WorkerError {
      if case .replaced = error { throw CommandFailure(.replaced, "\(error)") }
      throw CommandFailure(.usage, "\(error)")
    } catch let error as PortError {
      throw CommandFailure(.usage, "\(error)")
    }
  }
}
