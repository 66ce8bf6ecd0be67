package import RoomModel
package import Settings

/// A place in a partition's log where a restore can begin: everything that the engine must know of the log before it,
/// but for the rooms. Taken between two transactions, so it never lies within one.
package struct RestorePoint: Equatable {
  /// The first record after it.
  package var offset: Int64
  package var clock: LogTime
  /// The last record before it, -1 if there was none: timers that fire at once are numbered after it.
  package var lastOffset: Int64
  /// The settings in force there; lines of the journal change them later.
  package var settings: LogSettings
  package var settingsEpoch: Int64
  /// The first record of the journal after it.
  package var journalFrom: Int64

  package init(
    offset: Int64, clock: LogTime, lastOffset: Int64, settings: LogSettings, settingsEpoch: Int64, journalFrom: Int64
  ) {
    self.offset = offset
    self.clock = clock
    self.lastOffset = lastOffset
    self.settings = settings
    self.settingsEpoch = settingsEpoch
    self.journalFrom = journalFrom
  }
}
