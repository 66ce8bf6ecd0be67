package flyscreen.client;

/** The state of a stream of rooms. */
public enum StreamState {
  CONNECTING,
  OPEN,
  /** Waits before it connects again. */
  WAITING,
  /** Ended for good: the gateway refused the token, the room or the request. */
  REFUSED,
  /** Ended for good: no single gateway has all of these rooms. The client then opens a stream for each. */
  ELSEWHERE,
  /** Ended by the app. */
  CLOSED;

  boolean isOver() {
    return this == REFUSED || this == ELSEWHERE || this == CLOSED;
  }
}
