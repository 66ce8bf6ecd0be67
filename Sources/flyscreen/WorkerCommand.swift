import Settings

extension Command {
  static let worker = Command(
    name: "worker",
    summary: "takes its share of the input partitions and works until SIGTERM, then hands over cleanly",
    options: [CommandOption("members", "N", "members of the group in this process, 1…64 [1]")],
    settings: ["gift", "wish", "like", "rain", "dedupe", "clock", "topics", "commands", "worker", "log"]
  ) { invocation in
    _ = try invocation.arguments.integer("members", 1...64) ?? 1
    _ = try invocation.configuration.bootstrapServers()
    throw CommandFailure(.failed, "not built yet")
  }
}
