import RoomModel
import RoomScreen

/// Makes the screen's value of the engine's: with texts of its own, and names in place of offsets.
struct FieldOwner<Body: FieldList>: FieldCoder {
  private let body: Body
  private var shown: Body.Shown
  private let log: PublishedLog

  @inline(__always) static func own(_ body: Body, of log: PublishedLog) -> Body.Shown {
    var owner = FieldOwner(body: body, shown: Body.blankShown, log: log)
    Body.list(&owner)
    return owner.shown
  }

  @inline(__always) mutating func id(
    _: StaticString, _: UInt32, _ offset: WritableKeyPath<Body, Int64>, _ shown: WritableKeyPath<Body.Shown, ID>
  ) {
    self.shown[keyPath: shown] = CommandID.text(
      topic: log.topic.bytes, partition: log.partition, offset: body[keyPath: offset])
  }

  @inline(__always) mutating func id(
    _: StaticString, _: UInt32, _ id: WritableKeyPath<Body, Text>, _ shown: WritableKeyPath<Body.Shown, ID>
  ) { self.shown[keyPath: shown] = ID(body[keyPath: id]) }

  @inline(__always) mutating func text(
    _: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>, _ shown: WritableKeyPath<Body.Shown, String>
  ) { self.shown[keyPath: shown] = body[keyPath: text].description }

  @inline(__always) mutating func integer(
    _: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ shown: WritableKeyPath<Body.Shown, Int64>
  ) { self.shown[keyPath: shown] = body[keyPath: integer] }

  @inline(__always) mutating func integer(
    _: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ shown: WritableKeyPath<Body.Shown, Int>
  ) { self.shown[keyPath: shown] = Int(body[keyPath: integer]) }

  @inline(__always) mutating func word<Word: SchemaWord, ShownWord: RawRepresentable<String>>(
    _: StaticString, _: UInt32, _ word: WritableKeyPath<Body, Word>, _ shown: WritableKeyPath<Body.Shown, ShownWord>
  ) {
    if let known = ShownWord(rawValue: body[keyPath: word].word.description) { self.shown[keyPath: shown] = known }
  }

  @inline(__always) mutating func message<Inner: FieldList>(
    _: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>,
    _ shown: WritableKeyPath<Body.Shown, Inner.Shown>
  ) { self.shown[keyPath: shown] = FieldOwner<Inner>.own(body[keyPath: message], of: log) }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _: StaticString, _: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>,
    _ shown: WritableKeyPath<Body.Shown, [Inner.Shown]>
  ) { self.shown[keyPath: shown] = body[keyPath: messages].map { FieldOwner<Inner>.own($0, of: log) } }
}
