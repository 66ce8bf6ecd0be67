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
