package flyscreen.client;

/** The thread and the time of a client. Everything in a client happens on its loop, one thing after another. */
interface Loop {
  /** Milliseconds of a clock that only moves forward. */
  long nowMs();

  /** Milliseconds since 1970 by the device's clock. */
  long wallMs();

  /** Runs this on the loop, soon. */
  void post(Runnable act);

  /** Runs this on the loop after so many milliseconds, unless it is cancelled. */
  Timer after(long delayMs, Runnable act);

  /** Ends the loop's own threads. */
  void close();

  /** A task that waits for its time. */
  abstract class Timer {
    /** The timer that runs nothing. */
    static final Timer NONE = new Timer() {
      @Override
      void cancel() {}
    };

    abstract void cancel();
  }
}
