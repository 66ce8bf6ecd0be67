import RoomModel

/// What rooms go by: the settings in force. Lent, never copied.
struct Rules: ~Copyable {
  let settings: EngineSettings
  /// Counts the changes of the partition's settings.
  let epoch: Int64
  /// Of hashes; the process's own.
  let seed: UInt64
  /// What ids of this log begin with: `topic/partition/`.
  let log: [UInt8]

  init(settings: EngineSettings, epoch: Int64 = 0, seed: UInt64, log: [UInt8]) {
    self.settings = settings
    self.epoch = epoch
    self.seed = seed
    self.log = log
  }

  @inline(__always) var gift: GiftSettings { settings.gift }
  @inline(__always) var wish: WishSettings { settings.wish }
  @inline(__always) var like: LikeSettings { settings.like }
  @inline(__always) var rain: RainSettings { settings.rain }

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
