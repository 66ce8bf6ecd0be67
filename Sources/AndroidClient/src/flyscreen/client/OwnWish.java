package flyscreen.client;

/** A wish of this viewer's that doesn't fly yet. */
public final class OwnWish {
  /** What became of a wish. */
  public enum End {
    /** The wish flies, or is a like of an equal one that does. */
    FLIES,
    /** Too many wishes waited, or the wish was taken back: nobody ever sees it. */
    SKIPPED,
    /** The room's stream was not there all the time, so nobody can tell. */
    UNKNOWN
  }

  public final String wishId;
  public final String text;
  public final String style;

  OwnWish(String wishId, String text, String style) {
    this.wishId = wishId;
    this.text = text;
    this.style = style;
  }
}
