import Settings

extension Command {
  static let topicsCreate = Command(
    name: "topics create",
    summary: "makes the topics as they should be; says what differs where they exist",
    settings: ["topics"]
  ) { invocation in
    _ = try invocation.configuration.bootstrapServers()
    throw CommandFailure(.failed, "not built yet")
  }
}
