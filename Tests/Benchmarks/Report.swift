import Glibc

/// Lines of figures that people read and scripts can split at blanks.
enum Report {
  static func line(_ what: String, _ figures: (String, String)...) {
    let columns = figures.map { "\($0.0) \($0.1)" }.map { pad($0, 22) }
    text("\(pad(what, 30)) \(columns.joined())".trimmed)
  }

  /// Prints a line at once: a person who waits for a benchmark wants to see its progress.
  static func text(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// 1,234,567: an integer that people can read.
  static func grouped(_ number: Int64) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits, at: 0)
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
  }

  static func perSecond(_ count: Int, nanoseconds: Int64) -> String {
    grouped(Int64(Double(count) * 1e9 / Double(max(1, nanoseconds))))
  }

  static func each(_ nanoseconds: Int64, _ count: Int) -> String {
    grouped(Int64((Double(nanoseconds) / Double(max(1, count))).rounded()))
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
