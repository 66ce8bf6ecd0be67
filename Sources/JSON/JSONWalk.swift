/// The members of an object, asked for one after the other by their names.
///
/// They mostly stand in the order in which they are asked for, and are found in one walk then. Only where they don't, each
/// is looked for, and of a name that comes twice the last counts.
public struct JSONWalk {
  @usableFromInline let object: JSONValue
  /// The members that the walk has not come to; nil if members are looked for.
  @usableFromInline var ahead: JSONValue.Members?

  /// Nil if it is no object.
  @inlinable @inline(__always) public init?(_ object: JSONValue) {
    guard let members = object.members else { return nil }
    self.object = object
    ahead = members
  }

  /// Looks for each member.
  @inlinable @inline(__always) public init(lookingIn object: JSONValue) { self.object = object }

  /// None is left over, so each was the only one of its name.
  @inlinable @inline(__always) public var isAtEnd: Bool {
    guard var members = ahead else { return true }
    return members.next() == nil
  }

  @inlinable @inline(__always) public mutating func value(_ name: StaticString) -> JSONValue? {
    guard var members = ahead else { return object[name] }
    guard let member = members.next(), name ~= JSONName(of: member) else { return nil }
    ahead = members
    return member.value
  }
}
