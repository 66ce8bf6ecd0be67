/// The partition of a key as Java clients choose it, so that a consumer in any language finds a room where it expects
/// it (INTERFACES.md, "Topics").
package enum Murmur2 {
  package static func partition(key: UnsafeRawBufferPointer, partitions: Int32) -> Int32 {
    precondition(partitions > 0, "a topic has partitions")
    return partition(hash: hash(key), partitions: partitions)
  }

  /// The same of a key whose hash is known.
  @inline(__always) package static func partition(hash: UInt32, partitions: Int32) -> Int32 {
    Int32(hash & 0x7fff_ffff) % partitions
  }

  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let m: UInt32 = 0x5bd1_e995
    var hash: UInt32 = 0x9747_b28c ^ UInt32(truncatingIfNeeded: bytes.count)
    var i = 0
    while bytes.count &- i >= 4 {
      var word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: i, as: UInt32.self))
      word = word &* m
      word ^= word >> 24
      hash = hash &* m ^ word &* m
      i &+= 4
    }
    let left = bytes.count &- i
    if left > 0 {
      if left > 2 { hash ^= UInt32(bytes[i &+ 2]) << 16 }
      if left > 1 { hash ^= UInt32(bytes[i &+ 1]) << 8 }
      hash = (hash ^ UInt32(bytes[i])) &* m
    }
    hash ^= hash >> 13
    hash = hash &* m
    return hash ^ hash >> 15
  }
}
