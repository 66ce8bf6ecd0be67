internal import CMalloc

/// Tells when a program that held many things has let go of most, so that it is worth giving memory back.
///
/// Without that, glibc keeps what was freed for as long as the process lives: in each thread's arena all that lies below
/// what is still in use.
package struct HeldMemory: Sendable {
  private let least: Int
  private var most = 0

  /// - Parameter least: The least number of things fewer that is worth it.
  package init(least: Int) { self.least = least }

  /// - Parameter count: Things that are held now.
  /// - Returns: whether fewer than half are left of the most since the last time that this was true.
  package mutating func hasShrunk(to count: Int) -> Bool {
    most = max(most, count)
    guard count < most / 2, most - count >= least else { return false }
    most = count
    return true
  }

  /// Gives what is free back to the system, in all arenas. It takes some milliseconds for each hundred megabytes.
  package static func giveBack() { _ = malloc_trim(0) }
}
