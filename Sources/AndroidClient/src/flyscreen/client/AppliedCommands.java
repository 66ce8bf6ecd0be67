package flyscreen.client;

import java.util.HashMap;
import java.util.Map;

/** The last command of each log that a screen has drawn, by which a command that comes twice is told. */
final class AppliedCommands {
  private static final class Mark {
    long offset;
    long place;
    long atMs;
  }

  private final Map<String, Mark> marks = new HashMap<>();

  /** Whether a command is new. One whose id has another form always is. */
  boolean insert(String id, long atMs) {
    CommandId origin = CommandId.of(id);
    if (origin == null) return true;
    Mark last = marks.get(origin.log);
    if (last != null) {
      boolean isNoLater = origin.offset < last.offset || (origin.offset == last.offset && origin.place <= last.place);
      // A topic that was made again counts from 0, but later.
      if (isNoLater && atMs <= last.atMs) return false;
    } else {
      marks.put(origin.log, last = new Mark());
    }
    last.offset = origin.offset;
    last.place = origin.place;
    last.atMs = atMs;
    return true;
  }
}
