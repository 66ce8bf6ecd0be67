import RoomScreen
import Synchronization

/// The last results that were told, by their ids.
final class RecentResults: Sendable {
  private let ids = Mutex<[ID]>([])
  private static let limit = 300

  /// - Returns: whether it is new.
  func insert(_ result: RainResult) -> Bool {
    ids.withLock { ids in
      if ids.contains(result.id) { return false }
      ids.append(result.id)
      if ids.count > Self.limit { ids.removeFirst() }
      return true
    }
  }
}
