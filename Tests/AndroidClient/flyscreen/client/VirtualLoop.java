package flyscreen.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A loop whose time passes only when a test says so. */
final class VirtualLoop implements Loop {
  private final class Ring extends Timer {
    final long atMs;
    final Runnable act;

    Ring(long atMs, Runnable act) {
      this.atMs = atMs;
      this.act = act;
    }

    @Override
    void cancel() {
      timers.remove(this);
    }
  }

  private final List<Ring> timers = new ArrayList<>();
  private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
  private final long beganMs;
  private long nowMs = 0;
  boolean isClosed;

  VirtualLoop() {
    this(1_700_000_000_000L);
  }

  /** {@code beganMs}: the time by the device's clock. */
  VirtualLoop(long beganMs) {
    this.beganMs = beganMs;
  }

  @Override
  public long nowMs() {
    return nowMs;
  }

  @Override
  public long wallMs() {
    return beganMs + nowMs;
  }

  @Override
  public void post(Runnable act) {
    ready.add(act);
  }

  @Override
  public Timer after(long delayMs, Runnable act) {
    Ring ring = new Ring(nowMs + Math.max(0, delayMs), act);
    timers.add(ring);
    return ring;
  }

  @Override
  public void close() {
    isClosed = true;
  }

  int timers() {
    return timers.size();
  }

  /** Lets all that is ready happen. */
  void settle() {
    for (Runnable act; (act = ready.poll()) != null;) act.run();
  }

  /** Lets so much time pass. */
  void pass(long spanMs) {
    long until = nowMs + spanMs;
    settle();
    for (Ring next; (next = next(until)) != null;) {
      timers.remove(next);
      nowMs = Math.max(nowMs, next.atMs);
      next.act.run();
      settle();
    }
    nowMs = until;
  }

  /** The timer that rings first, up to this time; of one time the one that was set first. */
  private Ring next(long until) {
    Ring next = null;
    for (Ring one : timers) if (one.atMs <= until && (next == null || one.atMs < next.atMs)) next = one;
    return next;
  }
}
