import RoomModel
import RoomScreen

/// Makes the engine's value of the screen's: its texts are the batch's.
struct FieldBorrower<Body: FieldList>: FieldCoder {
  private let shown: Body.Shown
  private var body = Body()
  private let batch: UnsafeMutablePointer<CommandBatch>
  private var isOurs = true

  private init(_ shown: Body.Shown, _ batch: UnsafeMutablePointer<CommandBatch>) {
    self.shown = shown
    self.batch = batch
  }

  /// Nil if it is none of ours: it names no combo, or has a word that isn't known here.
  static func borrow(_ shown: Body.Shown, keptIn batch: UnsafeMutablePointer<CommandBatch>) -> Body? {
    var borrower = FieldBorrower(shown, batch)
    Body.list(&borrower)
    return borrower.isOurs ? borrower.body : nil
  }

  mutating func id(
    _: StaticString, _: UInt32, _ offset: WritableKeyPath<Body, Int64>, _ shown: WritableKeyPath<Body.Shown, ID>
  ) {
    if let id = CommandID(self.shown[keyPath: shown]) {
      body[keyPath: offset] = id.offset
    } else {
      isOurs = false
    }
  }

  @inline(__always) mutating func id(
    _: StaticString, _: UInt32, _ id: WritableKeyPath<Body, Text>, _ shown: WritableKeyPath<Body.Shown, ID>
  ) { body[keyPath: id] = batch.pointee.keep(self.shown[keyPath: shown].string) }

  @inline(__always) mutating func text(
    _: StaticString, _: UInt32, _ text: WritableKeyPath<Body, Text>, _ shown: WritableKeyPath<Body.Shown, String>
  ) { body[keyPath: text] = batch.pointee.keep(self.shown[keyPath: shown]) }

  @inline(__always) mutating func integer(
    _: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ shown: WritableKeyPath<Body.Shown, Int64>
  ) { body[keyPath: integer] = self.shown[keyPath: shown] }

  @inline(__always) mutating func integer(
    _: StaticString, _: UInt32, _ integer: WritableKeyPath<Body, Int64>, _ shown: WritableKeyPath<Body.Shown, Int>
  ) { body[keyPath: integer] = Int64(self.shown[keyPath: shown]) }

  @inline(__always) mutating func word<Word: SchemaWord, ShownWord: RawRepresentable<String>>(
    _: StaticString, _: UInt32, _ word: WritableKeyPath<Body, Word>, _ shown: WritableKeyPath<Body.Shown, ShownWord>
  ) {
    let raw = self.shown[keyPath: shown].rawValue
    if let known = Word.allCases.first(where: { $0.word.description == raw }) {
      body[keyPath: word] = known
    } else {
      isOurs = false
    }
  }

  @inline(__always) mutating func message<Inner: FieldList>(
    _: StaticString, _: UInt32, _ message: WritableKeyPath<Body, Inner>,
    _ shown: WritableKeyPath<Body.Shown, Inner.Shown>
  ) {
    if let inner = FieldBorrower<Inner>.borrow(self.shown[keyPath: shown], keptIn: batch) {
      body[keyPath: message] = inner
    } else {
      isOurs = false
    }
  }

  @inline(__always) mutating func messages<Inner: FieldList & BitwiseCopyable>(
    _: StaticString, _: UInt32, _ messages: WritableKeyPath<Body, UnsafeBufferPointer<Inner>>,
    _ shown: WritableKeyPath<Body.Shown, [Inner.Shown]>
  ) {
    let borrowed = self.shown[keyPath: shown].compactMap { FieldBorrower<Inner>.borrow($0, keptIn: batch) }
    body[keyPath: messages] = borrowed.withUnsafeBufferPointer { batch.pointee.keep($0) }
  }
}
