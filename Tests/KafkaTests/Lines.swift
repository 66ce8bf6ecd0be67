import Kafka
import Synchronization

/// Log lines as they come.
final class Lines: Sendable {
  private let lines = Mutex<[ClientLogLine]>([])

  @Sendable func add(_ line: ClientLogLine) { lines.withLock { $0.append(line) } }

  var all: [ClientLogLine] { lines.withLock { $0 } }
}
