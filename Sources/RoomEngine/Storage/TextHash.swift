import RoomModel

/// A hash of texts, to find things by; nothing that goes out depends on it.
///
/// The seed is the process's own, so that nobody outside can choose ids that all hash alike. Eight bytes a step:
/// multiply to 128 bits and fold.
struct TextHash {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed ^ 0x9E37_79B9_7F4A_7C15
  }

  /// 32 bits are enough to find by: what has the same hash is compared.
  @inline(__always) var value: UInt32 { UInt32(truncatingIfNeeded: state ^ (state >> 32)) }

  @inline(__always) mutating func add(_ number: Int32) {
    mix(UInt64(UInt32(bitPattern: number)))
  }

  /// Inlined, so that the state of a hash of several texts stays in a register.
  @inline(__always) mutating func add(_ text: Text) {
    // Marks the place where one text ends and the next begins.
    state &+= UInt64(truncatingIfNeeded: text.count &+ 1) &* 0x9E37_79B9_7F4A_7C15
    text.forEachWord { mix($0) }
  }

  @inline(__always) private mutating func mix(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = high ^ low ^ 0xA076_1D64_78BD_642F
  }
}

extension Text {
  /// All of its bytes, eight at a time; the last may come twice. Two texts of one length give the same words only if
  /// they are the same.
  @inline(__always) func forEachWord(_ body: (UInt64) -> Void) {
    let start = start
    let count = count
    var i = 0
    while count &- i >= 8 {
      body(start.loadUnaligned(fromByteOffset: i, as: UInt64.self))
      i &+= 8
    }
    guard i < count else { return }
    if count >= 8 {
      body(start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    } else if count >= 4 {
      let low = UInt64(start.loadUnaligned(as: UInt32.self))
      let high = UInt64(start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      body(low | high << 32)
    } else {
      var tail: UInt64 = 0
      while i < count {
        tail = tail << 8 | UInt64(start.load(fromByteOffset: i, as: UInt8.self))
        i &+= 1
      }
      body(tail)
    }
  }
}
