import JSON
import RoomModel

/// Reads messages of a platform's own by a mapping.
struct MappedEvents: ~Copyable {
  private var fields = MappedFields()
  private var mapping: Mapping?
  private var known = KnownPatterns<MappedPlan>(limit: 8)
  /// That of the last message, if it was read as one before it: what it leaves out is absent still.
  private var lastPlan: MappedPlan?
  /// Whether all fields of the last event were read.
  private var isWhole = false
  /// `eventId`, `roomId`, and the fields of the body in the order of its list, from slot 1 on.
  private let values: UnsafeMutablePointer<PatternValues.Value>
  private static let valueLimit = 1 + (EventKind.allCases.map { MappedNames.all(of: $0).count }.max() ?? 0)

  init() {
    values = .allocate(capacity: Self.valueLimit)
    values.initialize(repeating: PatternValues.Value(), count: Self.valueLimit)
  }

  deinit { values.deallocate() }

  /// What a mapping makes of a message.
  enum Outcome {
    /// The place of the shape, whose event's values are there.
    case event(Int)
    /// The place of the shape; nil: none fits.
    case passedOver(Int?)
    case own
  }

  /// Partitions of a topic may have copies of one mapping.
  private mutating func take(_ mapping: Mapping) {
    guard self.mapping != mapping else { return }
    self.mapping = mapping
    fields.message.take(mapping.tree)
    known.removeAll()
    lastPlan = nil
  }

  /// Reads a message that is written as one before it. Nil: it is to be parsed.
  ///
  /// - Parameter shape: gets the number of the shape that fits, from 1; left as it is where none does.
  mutating func readAsBefore(
    _ mapping: Mapping, _ bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, headers: [RecordHeader],
    shape: inout Int
  ) throws(NotUnderstood) -> Outcome? {
    take(mapping)
    guard known.matches(bytes) else { return nil }
    let plan = known.what
    let slots = known.values
    for slot in plan.neverEmpty where slots[slot].text.isEmpty { return nil }
    shape = plan.shape + 1
    guard plan.isEvent else { return .passedOver(plan.shape) }
    isWhole = false
    if lastPlan !== plan {
      for i in 0..<Self.valueLimit { values[i] = PatternValues.Value() }
      lastPlan = plan
    }
    for copy in plan.copies {
      values[copy.to] = slots[copy.from]
      if copy.isText { values[copy.to].isString = true }
    }
    if !plan.others.isEmpty {
      let event = self.mapping!.shapes[plan.shape].event!
      fields.reset()
      fields.message.begin(slots, ofSources: plan.slotOfSource, key: key, headers: headers)
      for place in plan.others {
        values[place + 1] = try fields.read(event.fields[place]!, event.names[place], self.mapping!)
      }
    }
    isWhole = true
    return .event(plan.shape)
  }

  /// Takes how the message is written that was read last, of which `root` was read.
  mutating func learn(_ bytes: UnsafeRawBufferPointer, _ root: JSONValue?, shape: Int) {
    guard let root, known.isDue(), let mapping,
      let planner = MappedPlan.Planner(mapping, ofShape: shape, &fields.message)
    else { return }
    known.learn(bytes, root, constants: planner.constants) { planner.plan($0) }
  }

  /// - Parameters:
  ///   - root: nil: the message is no JSON.
  ///   - bytes: those of the document that `root` stands in.
  ///   - shape: gets the number of the shape that fits, from 1; left as it is where none does.
  mutating func read(
    _ mapping: Mapping, _ root: JSONValue?, bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?,
    headers: [RecordHeader], shape: inout Int
  ) throws(NotUnderstood) -> Outcome {
    take(mapping)
    let mapping = self.mapping!
    fields.reset()
    fields.message.begin(root: root, bytes: bytes, key: key, headers: headers)
    isWhole = false
    lastPlan = nil
    for i in mapping.shapes.indices where fields.fits(mapping.shapes[i].conditions) {
      shape = i + 1
      guard let event = mapping.shapes[i].event else { return .passedOver(i) }
      for (place, field) in event.fields.enumerated() {
        values[place + 1] =
          try field.map { (field) throws(NotUnderstood) in
            try fields.read(field, event.names[place], mapping)
          } ?? PatternValues.Value()
      }
      isWhole = true
      return .event(i)
    }
    if mapping.ignoresOthers, let root, !root.hasBody { return .passedOver(nil) }
    if mapping.readsOwn { return .own }
    throw NotUnderstood(.noShape, "no shape fits")
  }

  /// The event of the values that were read last, by the rules of section 2.
  mutating func event(
    ofShape shape: Int, key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    let values = PatternValues(values)
    let kind = mapping!.shapes[shape].kind!
    do throws(NotUnderstood) {
      let (event, room) = (values[1].text, values[2].text)
      try EventRules.check(eventId: event, roomId: room, key: key, rule: keyRule)
      let body = try withUnsafeMutablePointer(to: &storage) { storage throws(NotUnderstood) in
        try RoomEvent.Body(kind, MappedBodyReader(values: values, storage: storage))
      }
      return RoomEvent(eventId: event, roomId: room, body: body)
    } catch {
      throw mapping!.refusal(error, of: mapping!.shapes[shape].event!)
    }
  }

  /// Appends the event as it was mapped, before any rule of section 2 looks at it, in the project's own JSON.
  ///
  /// - Returns: Whether all its fields could be read; else nothing is appended.
  mutating func appendJSON(_ mapped: Mapping.MappedEvent, to out: inout ByteBuffer) -> Bool {
    if !isWhole { return false }
    let values = values
    out.appendObject { out in
      for (place, name) in mapped.names.prefix(2).enumerated() {
        let value = values[place + 1]
        if !value.isAbsent { out.appendMember(name.text) { $0.append(mapped: value) } }
      }
      out.appendMember(mapped.kind.rawValue) { out in
        out.appendObject { out in
          var group: String?
          for (place, name) in mapped.names.enumerated().dropFirst(2) {
            if name.path.count == 2 {
              let value = values[place + 1]
              if !value.isAbsent { out.appendMember(name.path[1]) { $0.append(mapped: value) } }
              continue
            }
            // The fields of a message stand one after the other.
            if group == name.path[1] { continue }
            group = name.path[1]
            let inner = mapped.names.indices.filter {
              mapped.names[$0].path.count == 3 && mapped.names[$0].path[1] == name.path[1] && !values[$0 + 1].isAbsent
            }
            if inner.isEmpty { continue }
            out.appendMember(name.path[1]) { out in
              out.appendObject { out in
                for i in inner { out.appendMember(mapped.names[i].path[2]) { $0.append(mapped: values[i + 1]) } }
              }
            }
          }
        }
      }
    }
    return true
  }
}

extension PatternValues.Value {
  fileprivate var isAbsent: Bool { isString && text.isEmpty }
}

extension ByteBuffer {
  fileprivate mutating func append(mapped value: PatternValues.Value) {
    if !value.isString { return append(value.text) }
    append(UInt8(ascii: "\""))
    appendEscapedAndQuote(value.text)
  }
}

extension JSONValue {
  /// Whether a body of section 2 stands there.
  fileprivate var hasBody: Bool {
    kind == .object && EventKind.allCases.contains { self[$0.body.name].map { !$0.isNull } ?? false }
  }
}

extension Mapping {
  /// The reason with the place in the message behind the name of the field.
  fileprivate func refusal(_ error: NotUnderstood, of event: MappedEvent) -> NotUnderstood {
    let text = error.description
    for (field, name) in zip(event.fields, event.names) {
      guard let field, text.hasPrefix(name.text), let next = text.dropFirst(name.text.count).first,
        next == ":" || next == " "
      else { continue }
      let paths = field.sources.map { tree.texts[$0] }
      if paths.isEmpty { return error }
      return NotUnderstood(
        error.reason, "\(name.text) (\(paths.joined(separator: ", ")))\(text.dropFirst(name.text.count))")
    }
    return error
  }

}

private struct MappedBodyReader: EventBodyReader {
  let values: PatternValues
  let storage: UnsafeMutablePointer<EventStorage>

  @inline(__always) func lend<Body: BitwiseCopyable>(_ body: Body) -> Lent<Body> { storage.pointee.lend(body) }

  func readGift() throws(NotUnderstood) -> Lent<Gift> { try values.gift(at: .mapped, keeping: &storage.pointee) }

  func read<Body: EventBody>(_: Body.Type) throws(NotUnderstood) -> Body {
    let path = MessagePath(Body.name)
    // The first two are the event's own.
    var slot = 3
    var body = try MappedFieldReader<Body>.read(values, from: &slot, path)
    try EventFieldChecker.check(&body, path, keeping: storage)
    try body.complete(eventId: values[1].text)
    return body
  }
}

extension GiftPlaces {
  /// Where a mapped gift's fields are: in the order of its list.
  fileprivate static let mapped = {
    let names = MappedNames.all(of: .gift)
    func slot(_ name: String) -> Int { names.firstIndex { $0.text == name }! + 1 }
    return GiftPlaces(
      eventId: 1, roomId: 2,
      sender: SenderPlaces(
        userId: slot("gift.sender.userId"), name: slot("gift.sender.name"), avatarUrl: slot("gift.sender.avatarUrl")),
      receiverId: slot("gift.receiverId"), receiverName: slot("gift.receiverName"), giftId: slot("gift.giftId"),
      giftName: slot("gift.giftName"), count: slot("gift.count"), value: slot("gift.value"),
      streakId: slot("gift.streakId"), apart: slot("gift.apart"), holdMs: slot("gift.holdMs"),
      extra: slot("gift.extra"))
  }()
}

/// Fills a message's fields from values in the order of its list.
private struct MappedFieldReader<Body: EventFieldList>: EventFieldCoder {
  private let values: PatternValues
  private var slot: Int
  private let path: MessagePath
  private var body = Body()
  private var failure: NotUnderstood?

  private init(_ values: PatternValues, _ slot: Int, _ path: MessagePath) {
    self.values = values
    self.slot = slot
    self.path = path
  }

  static func read(
    _ values: PatternValues, from slot: inout Int, _ path: MessagePath
  ) throws(NotUnderstood) -> Body {
    var reader = MappedFieldReader(values, slot, path)
    Body.list(&reader)
    slot = reader.slot
    if let failure = reader.failure { throw failure }
    return reader.body
  }

  @inline(__always) private mutating func next() -> Int {
    defer { slot += 1 }
    return slot
  }

  mutating func id(_: StaticString, _: UInt32, _ id: WritableKeyPath<Body, Text>, _: TextRule) {
    body[keyPath: id] = values[next()].text
  }

  mutating func text(_: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>, _: TextRule) {
    body[keyPath: text] = values[next()].text
  }

  mutating func integer(
    _ name: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ rule: IntegerRule
  ) {
    do throws(NotUnderstood) {
      body[keyPath: integer] = try values.integer(at: next(), path.field(name), absent: rule.absent)
    } catch {
      if failure == nil { failure = error }
    }
  }

  mutating func message<Inner: EventFieldList>(
    _ name: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>
  ) {
    do throws(NotUnderstood) {
      body[keyPath: message] = try MappedFieldReader<Inner>.read(values, from: &slot, path.inner(name))
    } catch {
      if failure == nil { failure = error }
    }
  }

  /// A list can't be mapped.
  mutating func integers(
    _: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Int64>>, _: ClosedRange<Int64>, limit: Int
  ) { _ = next() }

  mutating func ids(_: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Text>>) { _ = next() }

  mutating func points(_: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<Point>>) { _ = next() }

  mutating func settings(
    _: StaticString, _: UInt32, _: WritableKeyPath<Body, UnsafeBufferPointer<RoomSetting.Value>>
  ) { _ = next() }
}
