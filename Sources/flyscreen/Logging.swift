import HTTP
import Kafka
import Probes
import Settings

extension Log {
  convenience init(_ settings: LoggingSettings) {
    let level: Level =
      switch settings.level {
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
    let format: Format =
      switch settings.format {
      case .logfmt: .logfmt
      case .json: .json
      }
    self.init(level: level, format: format)
    LibraryLines.hand { [self] isError, text in library("libevent", isError ? .error : .warning, text) }
  }
}

extension Log {
  /// librdkafka's own lines, each as grave as it says. Lines that it repeats while a broker is away are for debugging:
  /// the code that waits for the broker says that it is away.
  var ofClient: ClientLog {
    { line in
      switch line.level {
      case ...4 where line.facility != "FAIL" && line.facility != "ERROR":
        self.library("librdkafka", .warning, line.text, .reason(line.facility))
      default: self.debug(line.text, .reason(line.facility))
      }
    }
  }
}
