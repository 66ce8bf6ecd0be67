import RoomModel

/// The settings in force, by which rooms go. Lent, never copied.
///
/// Settings are large, and read several times with each event; they lie in memory of their own, so that what is lent is
/// a few words, and what is read of them is a word and not a copy of all.
struct Rules: ~Copyable {
  private let stored: UnsafeMutablePointer<EngineSettings>
  let tiers: TierTable
  /// Counts the changes of the partition's settings.
  let epoch: Int64
  /// The seed of hashes; the process's own.
  let seed: UInt64
  /// The beginning of this log's ids: `topic/partition/`.
  let log: [UInt8]
  /// Settings of rooms' own, which stand over these.
  let ownSettings = OwnSettingsPool()
  /// A room's own values of these have no say.
  let overruled: Set<RoomSetting>

  init(settings: EngineSettings, epoch: Int64 = 0, seed: UInt64, log: [UInt8], overruled: Set<RoomSetting> = []) {
    stored = .allocate(capacity: 1)
    stored.initialize(to: settings)
    tiers = TierTable(settings.gift)
    self.epoch = epoch
    self.seed = seed
    self.log = log
    self.overruled = overruled
  }

  /// The same log under other settings.
  func with(_ settings: EngineSettings, epoch: Int64) -> Rules {
    Rules(settings: settings, epoch: epoch, seed: seed, log: log, overruled: overruled)
  }

  deinit {
    stored.deinitialize(count: 1)
    stored.deallocate()
  }

  var settings: EngineSettings {
    @inline(__always) unsafeAddress { UnsafePointer(stored) }
  }

  var gift: GiftSettings {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.gift) { UnsafePointer($0) } }
  }
  var wish: WishSettings {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.wish) { UnsafePointer($0) } }
  }
  var like: LikeSettings {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.like) { UnsafePointer($0) } }
  }
  var rain: RainSettings {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.rain) { UnsafePointer($0) } }
  }
  var spot: SpotSettings {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.spot) { UnsafePointer($0) } }
  }
  var crowd: CrowdSettings {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.crowd) { UnsafePointer($0) } }
  }

  /// The offset in an id of this log; nil: it names no record of it.
  func offset(in id: Text) -> Int64? {
    guard id.bytes.starts(with: log), id.count > log.count else { return nil }
    let digits = id.bytes[log.count...]
    if digits.first == UInt8(ascii: "0"), digits.count > 1 { return nil }
    var offset: Int64 = 0
    for byte in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      let (tens, overflow) = offset.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      offset = sum
    }
    return offset
  }
}
