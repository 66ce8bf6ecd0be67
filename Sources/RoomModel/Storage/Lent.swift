/// A value that somebody else owns, as a ``Text`` is a view of somebody's bytes: one word, however large the value is.
///
/// An event goes through a dozen functions, and a command through as many; lent, the largest of their bodies are written
/// once and not copied again. It is good as long as the texts of the same owner are, and Sendable as they are.
@dynamicMemberLookup
public struct Lent<Value: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let place: UnsafePointer<Value>

  @inlinable @inline(__always) public init(_ place: UnsafePointer<Value>) { self.place = place }

  /// All of it; copied where it is not just looked at.
  public var whole: Value {
    @inlinable @inline(__always) unsafeAddress { place }
  }

  @inlinable @inline(__always) public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
    place.pointee[keyPath: member]
  }
}

extension Lent: CustomStringConvertible {
  public var description: String { "\(whole)" }
}

/// The place of one value that is lent: what was lent from it before is no longer good then.
public struct LendingPlace: ~Copyable {
  @usableFromInline static var size: Int { 256 }
  @usableFromInline let start = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 16)

  public init() {}

  deinit { start.deallocate() }

  /// Inlined, or the value would be copied by calls that only know its type.
  @inlinable @inline(__always) public mutating func lend<Value: BitwiseCopyable>(_ value: Value) -> Lent<Value> {
    precondition(MemoryLayout<Value>.size <= Self.size, "a value that there is room for")
    let lent = start.bindMemory(to: Value.self, capacity: 1)
    lent.initialize(to: value)
    return Lent(lent)
  }
}
