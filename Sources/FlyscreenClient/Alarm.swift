/// Rings once, at the earliest time that it was set to.
struct Alarm: Sendable {
  private var rings: Duration?
  private var task: HeldTask?

  /// - Parameter due: nil: there is nothing to ring for.
  mutating func set(after due: Duration?, _ time: Timekeeper, ring: @escaping @Sendable () async -> Void) {
    guard let due else { return }
    let at = time.now() + due
    if let rings, rings <= at { return }
    rings = at
    task = HeldTask(
      Task {
        do { try await time.sleep(due) } catch { return }
        await ring()
      })
  }

  /// Forgets the time it was set to, since it has rung.
  mutating func clear() { self = Alarm() }
}
