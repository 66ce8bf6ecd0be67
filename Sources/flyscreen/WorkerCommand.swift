import Glibc
import HTTP
import Probes
import Settings
import Worker

extension Command {
  static let worker = Command(
    name: "worker",
    summary: "takes its share of the input partitions and works until SIGTERM, then hands over cleanly",
    options: [
      CommandOption(
        "members", "N", "members of the group in this process, 1…64 [1]")
    ],
    settings: ["gift", "wish", "like", "rain", "dedupe", "clock", "topics", "commands", "worker", "log", "kafka"]
  ) { invocation in
    let members = try invocation.arguments.integer("members", 1...64) ?? 1
    let configuration = invocation.configuration
    _ = try configuration.bootstrapServers()
    var end = EndSignal()
    do {
      let metrics = Metrics()
      BuildInfo.register(in: metrics)
      let service = try WorkerService(
        configuration, members: members, metrics: metrics, log: Log(configuration.logging))
      let run = service.start { kill(getpid(), SIGTERM) }
      end.wait()
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
