package import RoomModel

extension Lent {
  /// For tests: it is never given back.
  package init(forever value: Value) {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: value)
    self.init(place)
  }
}
