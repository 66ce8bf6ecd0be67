/// The topic in which Kafka keeps what groups commit.
package enum OffsetsTopic {
  package static let name = "__consumer_offsets"

  /// The partition of a group's offsets: Java's hash of its name, as the group's coordinator takes it.
  package static func partition(of group: String, count: Int) -> Int32 {
    let hash = group.utf16.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) }
    return hash == .min ? 0 : Int32(Int(abs(hash)) % count)
  }
}
