package flyscreen.client;

/** How an app draws what flies, in units of its own. The values here are those of Flyscreen's page. */
public final class Layout {
  /** The size of the stage. */
  public final double width;
  public final double height;
  /** The setting {@code wish.stageWidth}: on a narrower stage banners are drawn smaller. */
  public double stageWidth = 375;
  /** The top of a banner on track 0. */
  public double firstTrack = 0;
  /** The distance from one track to the next. */
  public double trackStep = 42;
  public double bannerHeight = 34;
  /** The size of a packet that hangs straight. */
  public double packetWidth = 58;
  public double packetHeight = 78;

  public Layout(double width, double height) {
    this.width = width;
    this.height = height;
  }

  /** Whether a point is on a banner at a log time. */
  boolean isOn(Item.Banner banner, double x, double y, double atMs) {
    double wide = banner.width() * Math.min(1, width / stageWidth);
    double left = width - (width + wide) * (atMs - banner.startMs) / banner.number("durationMs");
    double top = firstTrack + banner.track * trackStep;
    return left <= x && x <= left + wide && top <= y && y <= top + bannerHeight;
  }

  /** The middle of a packet at a log time, across the stage. */
  public double packetX(Item.Drop drop, double atMs) {
    return packetWidth / 2 + drop.x(atMs) / 999 * (width - packetWidth);
  }

  /** The middle of a packet at a log time, down the stage: it begins and ends out of sight, however it is turned. */
  public double packetY(Item.Drop drop, double atMs) {
    double reach = Math.hypot(packetWidth, packetHeight) / 2;
    return drop.fallen(atMs) * (height + 2 * reach) - reach;
  }

  /** Whether a point is on a packet at a log time. */
  boolean isOn(Item.Drop drop, double x, double y, double atMs) {
    double dx = x - packetX(drop, atMs);
    double dy = y - packetY(drop, atMs);
    double radians = Math.toRadians(drop.degrees(atMs));
    return Math.abs(dx * Math.cos(radians) + dy * Math.sin(radians)) <= packetWidth / 2
        && Math.abs(dy * Math.cos(radians) - dx * Math.sin(radians)) <= packetHeight / 2;
  }
}
