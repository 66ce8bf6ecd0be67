import JSON
import RoomModel

/// How the values of an event stand in all messages that are written like one that was read: a mapping is other places for
/// a pattern's slots.
///
/// What `when` asks for is decided by the pattern: values that are held against constants are no slots of it.
final class MappedPlan {
  struct Copy {
    /// The slot of the pattern.
    let from: Int
    /// The slot of the event.
    let to: Int
    /// An integer counts as a string there.
    let isText: Bool
  }

  /// The place of the shape that fits.
  let shape: Int
  /// False: the message is passed over.
  let isEvent: Bool
  /// Slots whose texts are not empty in any message that this tells of.
  let neverEmpty: [Int]
  let copies: [Copy]
  /// The places of the event's fields that are more than a copy.
  let others: [Int]
  /// 0: absent.
  let slotOfSource: [Int]

  private init(shape: Int, isEvent: Bool, neverEmpty: [Int], copies: [Copy], others: [Int], slotOfSource: [Int]) {
    self.shape = shape
    self.isEvent = isEvent
    self.neverEmpty = neverEmpty
    self.copies = copies
    self.others = others
    self.slotOfSource = slotOfSource
  }

  /// Makes a plan of a message that was parsed and fits a shape.
  struct Planner {
    private let mapping: Mapping
    private let shape: Int
    /// The places on the tape of the values that the conditions of the shape, and of those before it, depend on.
    private(set) var constants: Set<Int> = []
    /// Those of texts that conditions ask to be there.
    private var present: [Int] = []
    /// Those of the fields' values, by source.
    private var places: [Int: Int] = [:]

    /// Nil: something else decides which shape fits, or a field's value is neither absent nor a scalar.
    init?(_ mapping: Mapping, ofShape shape: Int, _ message: inout MappedMessage) {
      self.mapping = mapping
      self.shape = shape
      for condition in mapping.shapes[...shape].lazy.flatMap(\.conditions) {
        switch message.writing(of: condition.source) {
        case .scalar(let place, let value):
          if case .oneOf = condition.wanted {
            constants.insert(place)
          } else if let text = value.text {
            // An empty text is absent.
            if text.isEmpty { constants.insert(place) } else { present.append(place) }
          }
        case .within(let place): constants.insert(place)
        case .nowhere, .fixed: continue
        case .elsewhere: return nil
        }
      }
      for source in (mapping.shapes[shape].event?.fields ?? []).compactMap({ $0 }).flatMap(\.sources) {
        switch message.writing(of: source) {
        case .scalar(let place, _):
          if constants.contains(place) { return nil }
          places[source] = place
        case .within, .fixed: return nil
        case .nowhere, .elsewhere: continue
        }
      }
    }

    /// - Parameter scalars: Those of the pattern's slots.
    func plan(_ scalars: [JSONScalar]) -> MappedPlan {
      var neverEmpty = present.map { scalars.slot(of: $0) }.filter { $0 > 0 }
      var (copies, others): ([Copy], [Int]) = ([], [])
      var slots = Array(repeating: 0, count: mapping.tree.sources.count)
      for (source, place) in places { slots[source] = scalars.slot(of: place) }
      let event = mapping.shapes[shape].event
      for (place, field) in (event?.fields ?? []).enumerated() {
        guard let field, !isNowhere(field, slots) else { continue }
        let name = event!.names[place]
        if !name.isExtra, let slot = slot(of: field, slots, scalars, &neverEmpty),
          name.value != .integer || !scalars[slot - 1].isString
        {
          copies.append(Copy(from: slot, to: place + 1, isText: name.value != .integer))
        } else {
          others.append(place)
        }
      }
      return MappedPlan(
        shape: shape, isEvent: event != nil, neverEmpty: neverEmpty, copies: copies, others: others,
        slotOfSource: slots)
    }

    private func isNowhere(_ field: Mapping.Field, _ slots: [Int]) -> Bool {
      if case .path(let source) = field, case .node = mapping.tree.sources[source] { slots[source] == 0 } else { false }
    }

    /// The slot that has a field's value in each message; nil: it takes more to tell.
    private func slot(
      of field: Mapping.Field, _ slots: [Int], _ scalars: [JSONScalar], _ neverEmpty: inout [Int]
    ) -> Int? {
      let slot: Int?
      switch field {
      case .path(let source): return slots[source] == 0 ? nil : slots[source]
      case .constant: return nil
      case .changed(let inner, let changes):
        if changes.words != nil || changes.scale != nil { return nil }
        slot = self.slot(of: inner, slots, scalars, &neverEmpty)
      case .list(let fields):
        guard let field = fields.first(where: { !isNowhere($0, slots) }) else { return nil }
        slot = self.slot(of: field, slots, scalars, &neverEmpty)
      }
      // An integer is there always; a text has to be in all messages of the plan, if it is.
      guard let slot else { return nil }
      if scalars[slot - 1].isString {
        if scalars[slot - 1].bytes.isEmpty { return nil }
        neverEmpty.append(slot)
      }
      return slot
    }
  }
}

extension Mapping.Field {
  /// All paths that it may look at.
  var sources: [Int] {
    switch self {
    case .path(let source): [source]
    case .list(let fields): fields.flatMap(\.sources)
    case .constant: []
    case .changed(let inner, _): inner.sources
    }
  }
}
