import JSON
import RoomEngine
import RoomModel
import RoomScreen
import TerminalView
import TestSupport
import Wire

/// Records of topics: events, commands, results, each in both forms.
extension FuzzTarget {
  static let wire = Format.allCases.flatMap { [events($0), commands($0), results($0)] } + [mapped]

  /// Messages of a platform's own. The first is written as the next ones may be, so these are read without a parser.
  private static let messages = [
    #"{"t":"w","r":"r1","u":7,"x":"hi"}"#,
    #"{"t":"g","r":"r1","u":7,"d":"{\"a\":\"[1,{\\\"b\\\":2}]\"}","l":[[0,1.50],{"x":null}],"e":{"m":[1]},"p":"19.9"}"#,
    #"{"t":7,"r":-0,"u":"b","d":"","l":[],"e":"x","p":1e3}"#, #"["a"]"#,
  ].map { Array($0.utf8) }

  /// A mapping that looks into them in every way.
  private static let mapping: Mapping = {
    let wish = #"{"when":{"t":"w"},"roomId":"r","wish":{"sender":{"userId":"u"},"text":["x","@key"]}}"#
    let gift =
      #"{"roomId":["d(json).a(json)[1].b","r","@key"],"eventId":"@header.id","gift":{"sender":{"userId":"u","name":"l[0][1]"},"giftId":{"at":"t","words":{"g":"rose","7":1},"else":"x"},"value":{"at":"p","times":100,"per":3},"extra":["e","$"]}}"#
    let text = #"{"otherwise":"ignore","shapes":[\#(wish),{"when":{"l[1].x":"present"},"ignore":true},\#(gift)]}"#
    var document = JSONDocument()
    return Array(text.utf8).withUnsafeBytes { try! Mapping(MappingNode(document.parse($0)), at: "t") }
  }()

  private static let mapped = FuzzTarget("mapped") {
    messages
  } run: { bytes in
    var fresh = EventDecoder()
    var kept = EventDecoder()
    func map(_ bytes: UnsafeRawBufferPointer, _ decoder: inout EventDecoder) -> String {
      let event = decoder.map(
        key: Text("r1").bytes, value: bytes, contentType: nil, keyRule: .any, mapping: mapping,
        headers: [("id", bytes)])
      return "\(event)"
    }
    for message in messages { message.withUnsafeBytes { _ = map($0, &kept) } }
    guard map(bytes, &kept) == map(bytes, &fresh) else { fatalError("what came before changes what a message is") }
    // As a mapping, too.
    if let node = MappingNode(json: Array(bytes)) { _ = try? Mapping(node, at: "t") }
  }

  private static func events(_ format: Format) -> FuzzTarget {
    FuzzTarget("events-\(format)") {
      Samples.events.map { event in
        Samples.bytes { EventEncoder(format: format).encode(event, into: &$0) }
      }
    } run: { bytes in
      var decoder = EventDecoder()
      guard
        let event = try? decoder.decode(
          key: nil, value: bytes, contentType: format.contentType.bytes, keyRule: .any)
      else { return }
      var batch = CommandBatch()
      var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
      _ = log.apply(offset: 1, timestampMs: 1000, event: event, into: &batch)
      _ = log.fireTimers(through: 10_000, into: &batch)
      _ = Samples.bytes { EventEncoder(format: .json).encode(event, into: &$0) }
      _ = Samples.bytes { EventEncoder(format: .protobuf).encode(event, into: &$0) }
    }
  }

  private static func commands(_ format: Format) -> FuzzTarget {
    FuzzTarget("commands-\(format)") {
      Samples.commands(format)
    } run: { bytes in
      var decoder = CommandDecoder()
      guard let published = try? decoder.decode(value: bytes, contentType: format.contentType.bytes) else { return }
      let encoder = CommandEncoder(topic: published.topic.description, partition: published.partition, format: format)
      _ = Samples.bytes { encoder.encode(published.command, into: &$0) }
      let command = Command(published)
      var screen = Screen(command.roomId)
      screen.apply(command)
      Stage.draw(screen)
      _ = command.sentence
    }
  }

  private static func results(_ format: Format) -> FuzzTarget {
    FuzzTarget("results-\(format)") {
      Samples.results(format)
    } run: { bytes in
      var decoder = ResultDecoder()
      guard let published = try? decoder.decode(value: bytes, contentType: format.contentType.bytes) else { return }
      let encoder = CommandEncoder(topic: published.topic.description, partition: published.partition, format: format)
      _ = Samples.bytes { encoder.encode(published.result, into: &$0) }
    }
  }
}
