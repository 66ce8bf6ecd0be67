import Glibc
import TerminalView

/// A terminal that is drawn upon as a whole, and found as it was afterwards.
struct TerminalSession {
  private var writer: CanvasWriter
  private var output = StandardOutput()
  private var modes = termios()
  private let hasModes: Bool

  /// Whether stdout is a terminal that can be drawn upon.
  static func isPossible(_ environment: [String: String]) -> Bool {
    StandardOutput.isTerminal && (environment["TERM"] ?? "dumb") != "dumb"
  }

  /// Takes the terminal over: its other screen, no cursor, no line that wraps, no echo of what is typed.
  init(_ environment: [String: String]) {
    writer = CanvasWriter(colors: (environment["NO_COLOR"] ?? "").isEmpty)
    hasModes = tcgetattr(STDIN_FILENO, &modes) == 0
    if hasModes {
      var silent = modes
      silent.c_lflag &= ~tcflag_t(ECHO | ICANON)
      tcsetattr(STDIN_FILENO, TCSANOW, &silent)
    }
    output.append("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    try? output.flush()
  }

  /// Gives it back.
  mutating func end() {
    output.append("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    try? output.flush()
    if hasModes {
      // Drops keys that were typed meanwhile: they were meant for this program.
      tcflush(STDIN_FILENO, TCIFLUSH)
      tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }
  }

  /// Its size now, in cells: it may change at any time.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  mutating func draw(_ canvas: Canvas) {
    output.append(writer.sequence(for: canvas))
    try? output.flush()
  }
}
