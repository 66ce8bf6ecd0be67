import RoomModel

/// The places of gifts beside their lanes: crowds, the spot, and what is skipped. So one change of a room reaches these
/// and its gift stage together.
struct BesideGifts: ~Copyable {
  var skips = SkipTallies()
  var spotPart = RarePart<SpotStage>()
  var crowdPart = RarePart<CrowdStage>()
  /// Users.
  var mutesPart = RarePart<Retracts>()
  /// All other things that were taken back.
  var retractsPart = RarePart<Retracts>()
  /// Something came here since the room's next timer was looked for, of which other timers may come.
  var isReached = false

  /// Gifts that find no lane join a crowd, or are skipped if there are too many.
  mutating func skip(
    _ item: CrowdItem, _ reason: Skipped.Reason, tier: Int64, at now: LogTime, _ rules: borrowing Rules,
    out: inout CommandOutlet
  ) {
    let hasCrowds = rules.crowd.kinds > 0 || crowdPart.isMade
    let timer = crowdPart.part.nextTimer
    let crowd = hasCrowds ? crowdPart.part.join(item, at: now, rules, out: &out) : nil
    out.note(SkippedItem(item, reason, tier: tier, crowdOffset: crowd, rules, crowdCount: crowdPart.part.crowds.count))
    if crowd != nil {
      out.count {
        $0.joinedItems &+= 1
        $0.joinedUnits &+= item.units
      }
      if crowdPart.part.nextTimer != timer { isReached = true }
    } else {
      isReached = true
      out.count { $0.refusedItems &+= 1 }
      skips.add(.gift, reason, units: item.units, at: now, out: &out)
    }
  }

  mutating func fillSpot(
    _ item: consuming SpotItem, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) {
    isReached = true
    let isTakenBack = isMuted(item.userId, at: now, rules) || isTakenBack(.spot, item.spotId, at: now, rules)
    spotPart.part.arrive(item, isTakenBack: isTakenBack, at: now, rules, skips: &skips, out: &out)
  }

  @inline(__always) func isMuted(_ userId: Text, at now: LogTime, _ rules: borrowing Rules) -> Bool {
    mutesPart.isMade && mutesPart.part.holds(.user, userId, at: now, seed: rules.seed)
  }

  @inline(__always) func isTakenBack(
    _ kind: Retracts.Kind, _ id: Text, at now: LogTime, _ rules: borrowing Rules
  ) -> Bool {
    retractsPart.isMade && retractsPart.part.holds(kind, id, at: now, seed: rules.seed)
  }

  /// The room has ended.
  mutating func forgetAllButRetracts() {
    skips = SkipTallies()
    spotPart = RarePart()
    crowdPart = RarePart()
  }

  /// It was read from a state.
  mutating func discardUntouchedParts() {
    skips.discardIfUntouched()
    spotPart.discardIfUntouched()
    crowdPart.discardIfUntouched()
    mutesPart.discardIfUntouched()
    retractsPart.discardIfUntouched()
  }

  var byteCount: Int {
    var bytes = skips.byteCount + spotPart.byteCount + crowdPart.byteCount + retractsPart.byteCount
    bytes += mutesPart.byteCount
    if spotPart.isMade { bytes += spotPart.part.byteCount }
    if crowdPart.isMade { bytes += crowdPart.part.byteCount }
    if retractsPart.isMade { bytes += retractsPart.part.byteCount }
    if mutesPart.isMade { bytes += mutesPart.part.byteCount }
    return bytes
  }
}
