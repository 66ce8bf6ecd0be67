import HTTP
import Platform
import RoomModel
import RoomScreen
import Settings

/// Limits of what each client asks for.
final class ClientLimits: Sendable {
  /// A client: its requests are counted together.
  enum Client: Hashable, Sendable {
    case user(ID)
    case address(AddressGroup)
    /// A peer whose address is none.
    case unknown
  }

  private struct InRoom: Hashable, Sendable {
    let client: Client
    let room: ID
  }

  private let events: TokenBuckets<Client>
  /// Buckets of the kinds that are limited in each room.
  private let inRooms: [EventKind: TokenBuckets<InRoom>]
  private let snapshots: TokenBuckets<Client>
  private let runs = LikeRuns<InRoom>()

  private static let burstSeconds = 10

  init(_ limits: GatewayLimits) {
    events = TokenBuckets(perSecond: limits.events, burst: limits.eventBurst)
    inRooms = Dictionary(
      uniqueKeysWithValues: EventKind.allCases.compactMap { kind in
        limits.perRoom[kind].map { (kind, TokenBuckets(perSecond: $0, burst: Self.burstSeconds * $0)) }
      })
    snapshots = TokenBuckets(perSecond: limits.snapshots, burst: Self.burstSeconds * limits.snapshots)
  }

  /// - Returns: nil: the client may; else how many seconds it has to wait. So with the others.
  func takeEvent(_ client: Client) -> Int64? { Self.seconds(events.take(client, nowMs: MonotonicClock.nowMs())) }

  func takeEvent(_ client: Client, _ kind: EventKind, in room: ID) -> Int64? {
    guard let buckets = inRooms[kind] else { return nil }
    return Self.seconds(buckets.take(InRoom(client: client, room: room), nowMs: MonotonicClock.nowMs()))
  }

  /// Likes are limited as taps are, however they come: a client takes the new ones of its run, of a new run all.
  func takeLikes(_ client: Client, _ run: LikeRun, in room: ID) -> Int64? {
    guard let buckets = inRooms[.tap] else { return nil }
    let place = InRoom(client: client, room: room)
    let nowMs = MonotonicClock.nowMs()
    return Self.seconds(runs.take(run, of: place, nowMs: nowMs) { buckets.take(place, $0, nowMs: nowMs) })
  }

  func takeSnapshot(_ client: Client) -> Int64? { Self.seconds(snapshots.take(client, nowMs: MonotonicClock.nowMs())) }

  private static func seconds(_ waitMs: Int64?) -> Int64? { waitMs.map { ($0 + 999) / 1000 } }
}
