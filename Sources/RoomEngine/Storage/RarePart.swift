/// A part of a room in which most rooms have nothing. The first change makes it; until then an empty one that all share is
/// read in its place.
struct RarePart<Part: RareRoomPart & ~Copyable>: ~Copyable {
  private var made: UnsafeMutablePointer<Part>?

  init() {}

  deinit { discard() }

  var isMade: Bool { made != nil }

  /// The part, to be read.
  @inline(__always) var address: UnsafePointer<Part> { UnsafePointer(made ?? Part.nothing) }

  /// The part, to be changed; it is made if it was not there.
  @inline(__always) mutating func mutableAddress() -> UnsafeMutablePointer<Part> { made ?? make() }

  var part: Part {
    @inline(__always) unsafeAddress { address }
    @inline(__always) unsafeMutableAddress { mutableAddress() }
  }

  @inline(never) private mutating func make() -> UnsafeMutablePointer<Part> {
    let place = UnsafeMutablePointer<Part>.allocate(capacity: 1)
    place.initialize(to: Part())
    made = place
    return place
  }

  /// Gives the memory back where nothing was put in.
  mutating func discardIfUntouched() {
    guard let made, made.pointee.isUntouched else { return }
    discard()
    self.made = nil
  }

  private func discard() {
    made?.deinitialize(count: 1)
    made?.deallocate()
  }

  var byteCount: Int { isMade ? MemoryLayout<Part>.stride : 0 }
}

protocol RareRoomPart: ~Copyable {
  init()
  /// An empty one; nobody changes it.
  static var nothing: UnsafeMutablePointer<Self> { get }
  /// It is as it was made.
  var isUntouched: Bool { get }
}

extension WishStage: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(WishStage())

  var isUntouched: Bool {
    banners.slotCount == 0 && tracks.tracks.isEmpty && age == 0 && intervalEndsAt == .min && nextStartAt == .max
  }
}

extension LikeStage: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(LikeStage())

  var isUntouched: Bool {
    tappers.isEmpty && runs.isEmpty && count == 0 && points.isEmpty && !pace.isPending && pace.closedUntil == .min
  }
}

extension RainStage: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(RainStage())

  var isUntouched: Bool { rains.slotCount == 0 && isEmpty }
}

extension SpotStage: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(SpotStage())

  var isUntouched: Bool { items.slotCount == 0 && isEmpty }
}

extension CrowdStage: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(CrowdStage())

  var isUntouched: Bool { isEmpty }
}

extension PinStage: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(PinStage())

  var isUntouched: Bool { isEmpty }
}

extension GoalStage: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(GoalStage())

  var isUntouched: Bool { isEmpty }
}

extension Retracts: RareRoomPart {
  nonisolated(unsafe) static let nothing = emptyPart(Retracts())

  var isUntouched: Bool { isEmpty }
}

/// Keeps an empty part for good.
func emptyPart<Part: ~Copyable>(_ part: consuming Part) -> UnsafeMutablePointer<Part> {
  let place = UnsafeMutablePointer<Part>.allocate(capacity: 1)
  place.initialize(to: part)
  return place
}
