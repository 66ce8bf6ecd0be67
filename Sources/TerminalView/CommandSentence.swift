package import RoomScreen

extension Command {
  /// A line for people: when, where, what.
  package var sentence: String {
    "\(clock(atMs))  \(shown(roomId).padded(toCells: 10))  \(body.sentence)"
  }
}

/// The time of the day, UTC.
private func clock(_ atMs: Int64) -> String {
  let day: Int64 = 86_400_000
  let ms = ((atMs % day) + day) % day
  func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
  return
    "\(digits(ms / 3_600_000, 2)):\(digits(ms / 60_000 % 60, 2)):\(digits(ms / 1000 % 60, 2)).\(digits(ms % 1000, 3))"
}

func shown(_ id: ID) -> String { shown(id.string) }

func shown(_ sender: Command.Sender) -> String { shown(sender.shownName) }

/// The text on one line: ids that look alike stay apart.
func shown(_ text: String) -> String { text.onOneLine }
