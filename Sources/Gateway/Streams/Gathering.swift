package import Settings

/// Whether a loop gathers: holds what is due to a stream for a while, so that more of it goes in one write. Nine tenths of
/// a delivery are the system call of its write.
///
/// A loop that has time writes at once. One that hands out commands for more than half of its time gathers, until it
/// would do without for less than two fifths: what it takes is scaled by the writes that gathering has spared.
package struct Gathering {
  private let when: GatherWhen
  private let mostMs: Int64
  package private(set) var isOn: Bool
  private var window: Window

  /// Its loop is looked at each time that so much has passed.
  private static let windowMs: Int64 = 500

  private struct Window {
    let beganMs: Int64
    let before: WriteCounts
    var busyMs: Int64 = 0
  }

  package init(_ when: GatherWhen, ms: Int64, nowMs: Int64) {
    self.when = when
    mostMs = ms
    isOn = when == .always && ms > 0
    window = Window(beganMs: nowMs, before: WriteCounts())
  }

  /// Time for which something that is due waits for more.
  package var ms: Int64 { isOn ? mostMs : 0 }

  /// The loop has handed out commands.
  ///
  /// - Parameter counts: of its writes since it began.
  package mutating func worked(fromMs: Int64, toMs: Int64, _ counts: WriteCounts) {
    guard when == .busy, mostMs > 0 else { return }
    window.busyMs += toMs - fromMs
    let passedMs = toMs - window.beganMs
    guard passedMs >= Self.windowMs else { return }
    let made = counts.made - window.before.made
    let spared = counts.spared - window.before.spared
    let share = Double(window.busyMs) / Double(passedMs)
    let without = share * Double(made + spared) / Double(max(1, made))
    isOn = without > (isOn ? 0.4 : 0.5)
    window = Window(beganMs: toMs, before: counts)
  }
}

/// Writes of commands to the streams of one loop, since it began.
package struct WriteCounts {
  package var made = 0
  /// The further writes that there would have been, had nothing been gathered.
  package var spared = 0

  package init() {}
}

/// The counts of all channels of one loop.
final class WriteCounter {
  var counts = WriteCounts()
}
