import RoomModel

/// Holds a message that was read against the rules of its list, leaves out what is not drawn, and fills in defaults.
struct EventFieldChecker<Body: EventFieldList>: EventFieldCoder {
  private let body: UnsafeMutablePointer<Body>
  private let path: MessagePath
  private let storage: UnsafeMutablePointer<EventStorage>
  private var failure: NotUnderstood?

  @inline(__always) static func check(
    _ body: inout Body, _ path: MessagePath, keeping storage: UnsafeMutablePointer<EventStorage>
  ) throws(NotUnderstood) {
    let failure = withUnsafeMutablePointer(to: &body) { body in
      var checker = EventFieldChecker(body: body, path: path, storage: storage)
      Body.list(&checker)
      return checker.failure
    }
    if let failure { throw failure }
  }

  /// The first thing that is wrong is told.
  @inline(__always) private mutating func attempt(_ rule: () throws(NotUnderstood) -> Void) {
    do throws(NotUnderstood) { try rule() } catch {
      if failure == nil { failure = error }
    }
  }

  @inline(__always) mutating func id(
    _ name: StaticString, _ number: UInt32, _ id: WritableKeyPath<Body, Text>, _ rule: TextRule
  ) { text(name, number, id, rule) }

  @inline(__always) mutating func text(
    _ name: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>, _ rule: TextRule
  ) {
    if let drawn = rule.drawn { storage.pointee.strip(&body.pointee[keyPath: text], drawn) }
    let value = body.pointee[keyPath: text]
    let path = path.field(name)
    attempt { () throws(NotUnderstood) in
      if rule.presence == .required, value.isEmpty { throw .missing(path) }
      try EventRules.limit(value, rule.limit, path)
    }
  }

  @inline(__always) mutating func integer(
    _ name: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ rule: IntegerRule
  ) {
    let value = body.pointee[keyPath: integer]
    let path = path.field(name)
    attempt { () throws(NotUnderstood) in try EventRules.range(value, rule.range, path) }
    if rule.zero != 0, value == 0 { body.pointee[keyPath: integer] = rule.zero }
  }

  @inline(__always) mutating func message<Inner: EventFieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    let (body, storage, path) = (body, storage, path.inner(name))
    attempt { () throws(NotUnderstood) in
      try EventFieldChecker<Inner>.check(&body.pointee[keyPath: message], path, keeping: storage)
    }
  }

  mutating func integers(
    _ name: StaticString, _: UInt32, _ integers: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>,
    _ range: ClosedRange<Int64>, limit: Int
  ) {
    let (count, kept, path) = (storage.pointee.integerCount, storage.pointee.keptIntegers, path.field(name))
    attempt { () throws(NotUnderstood) in
      if count > limit {
        throw NotUnderstood(.tooLong, "\(path): \(count) \(path.name) are more than \(limit)")
      }
      for integer in kept { try EventRules.range(integer, range, path) }
    }
    body.pointee[keyPath: integers] = kept
  }

  mutating func ids(
    _ name: StaticString, _: UInt32, _ ids: WritableKeyPath<Body, UnsafeBufferPointer<Text>>
  ) {
    let (count, kept, path) = (storage.pointee.idCount, storage.pointee.keptIds, path.field(name))
    attempt { () throws(NotUnderstood) in
      if count > kept.count {
        throw NotUnderstood(.tooLong, "\(path): \(count) \(path.name) are more than \(kept.count)")
      }
      for id in kept {
        if id.isEmpty { throw .missing(path) }
        try EventRules.limit(id, EventRules.idLimit, path)
      }
    }
    body.pointee[keyPath: ids] = kept
  }

  mutating func points(
    _ name: StaticString, _: UInt32, _ points: WritableKeyPath<Body, UnsafeBufferPointer<Point>>
  ) {
    let (count, kept, path, storage) = (storage.pointee.pointCount, storage.pointee.keptPoints, path, storage)
    attempt { () throws(NotUnderstood) in
      if count > kept.count {
        throw NotUnderstood(
          .tooLong, "\(path.field(name)): \(count) \(path.field(name).name) are more than \(kept.count)")
      }
      for place in kept.indices {
        try EventFieldChecker<Point>.check(&kept[place], path.inner(name), keeping: storage)
      }
    }
    body.pointee[keyPath: points] = UnsafeBufferPointer(kept)
  }

  mutating func settings(
    _ name: StaticString, _: UInt32, _ settings: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>
  ) {
    let (body, storage) = (body, storage)
    attempt { () throws(NotUnderstood) in
      body.pointee[keyPath: settings] = try EventRules.settings(keeping: &storage.pointee)
    }
  }
}
