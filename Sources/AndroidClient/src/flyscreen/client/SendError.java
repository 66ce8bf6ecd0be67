package flyscreen.client;

/** An event that was not taken, as far as is known. */
public final class SendError extends Exception {
  private static final long serialVersionUID = 1;

  /** The status of the answer; 0: the gateway did not answer, or the event was not sent. */
  public final int status;
  /**
   * The gateway's word for the error ({@code kind_not_allowed}, {@code bad_request} …), or {@code unreachable},
   * {@code too_late}, {@code too_many_waiting}, {@code no_result}, {@code closed}.
   */
  public final String error;
  /** Why the event was not understood, after 400; else empty. */
  public final String reason;
  /** Whether the event may count all the same. Sent again with the same {@code eventId} it counts once. */
  public final boolean mayHaveArrived;

  SendError(String message, int status, String error, String reason, boolean mayHaveArrived) {
    super(message);
    this.status = status;
    this.error = error;
    this.reason = reason;
    this.mayHaveArrived = mayHaveArrived;
  }

  SendError having(boolean arrived) {
    return new SendError(getMessage(), status, error, reason, arrived);
  }
}
