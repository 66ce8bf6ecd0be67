import RoomModel

/// The settings in force, by which rooms go. Lent, never copied.
///
/// Settings are large, and each event reads them several times. They lie in memory of their own, so that lending them
/// passes one word, and reading a setting loads one word.
struct Rules: ~Copyable {
  private struct Stored: ~Copyable {
    var settings: EngineSettings
    var tiers: TierTable
    let epoch: Int64
    let seed: UInt64
    let log: [UInt8]
    let ownSettings = OwnSettingsPool()
    let overruled: Set<RoomSetting>
  }

  private let stored: UnsafeMutablePointer<Stored>

  init(settings: EngineSettings, epoch: Int64 = 0, seed: UInt64, log: [UInt8], overruled: Set<RoomSetting> = []) {
    stored = .allocate(capacity: 1)
    stored.initialize(
      to: Stored(
        settings: settings, tiers: TierTable(settings.gift), epoch: epoch, seed: seed, log: log, overruled: overruled))
  }

  /// Counts the changes of the partition's settings.
  var epoch: Int64 { stored.pointee.epoch }
  /// The seed of hashes; the process's own.
  var seed: UInt64 { @inline(__always) get { stored.pointee.seed } }
  /// The beginning of this log's ids: `topic/partition/`.
  var log: [UInt8] { stored.pointee.log }
  /// Settings of rooms' own, which stand over these.
  var ownSettings: OwnSettingsPool { stored.pointee.ownSettings }
  /// A room's own values of these have no say.
  var overruled: Set<RoomSetting> { stored.pointee.overruled }

  /// The same log under other settings.
  func with(_ settings: EngineSettings, epoch: Int64) -> Rules {
    Rules(settings: settings, epoch: epoch, seed: seed, log: log, overruled: overruled)
  }

  deinit {
    stored.deinitialize(count: 1)
    stored.deallocate()
  }

  var settings: EngineSettings {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.settings) { UnsafePointer($0) } }
  }
  var tiers: TierTable {
    @inline(__always) unsafeAddress { withUnsafeMutablePointer(to: &stored.pointee.tiers) { UnsafePointer($0) } }
  }

  var gift: GiftSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.gift) { UnsafePointer($0) }
    }
  }
  var wish: WishSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.wish) { UnsafePointer($0) }
    }
  }
  var like: LikeSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.like) { UnsafePointer($0) }
    }
  }
  var rain: RainSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.rain) { UnsafePointer($0) }
    }
  }
  var spot: SpotSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.spot) { UnsafePointer($0) }
    }
  }
  var crowd: CrowdSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.crowd) { UnsafePointer($0) }
    }
  }
  var pin: PinSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.pin) { UnsafePointer($0) }
    }
  }
  var goal: GoalSettings {
    @inline(__always) unsafeAddress {
      withUnsafeMutablePointer(to: &stored.pointee.settings.goal) { UnsafePointer($0) }
    }
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
