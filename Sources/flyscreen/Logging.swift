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
  }
}

extension Log {
  /// librdkafka's own lines, each as grave as it says. What it repeats while a broker is away is for debugging: that
  /// a broker is away is said by whoever waits for it.
  var ofClient: ClientLog {
    { line in
      switch line.level {
      case ...4 where line.facility != "FAIL" && line.facility != "ERROR":
        self.warning(line.text, .reason(line.facility))
      default: self.debug(line.text, .reason(line.facility))
      }
    }
  }
}
