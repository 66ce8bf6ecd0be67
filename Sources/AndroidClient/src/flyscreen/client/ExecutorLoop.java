package flyscreen.client;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The loop of an app: its executor runs everything, and one thread of the loop's own waits for timers. */
final class ExecutorLoop implements Loop {
  private final Executor executor;
  private final ScheduledThreadPoolExecutor timers;

  ExecutorLoop(Executor executor) {
    this.executor = executor;
    timers = new ScheduledThreadPoolExecutor(1, act -> {
      Thread thread = new Thread(act, "flyscreen-timers");
      thread.setDaemon(true);
      return thread;
    });
    timers.setRemoveOnCancelPolicy(true);
    timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  @Override
  public long wallMs() {
    return System.currentTimeMillis();
  }

  @Override
  public void post(Runnable act) {
    try {
      executor.execute(act);
    } catch (RejectedExecutionException ended) {
      // The app has ended its executor, and with it this client.
    }
  }

  @Override
  public Timer after(long delayMs, Runnable act) {
    Task task = new Task(act);
    try {
      task.future = timers.schedule(() -> post(task), Math.max(0, delayMs), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // Nothing waits any more.
    }
    return task;
  }

  @Override
  public void close() {
    timers.shutdown();
  }

  private static final class Task extends Timer implements Runnable {
    private final Runnable act;
    private java.util.concurrent.Future<?> future;
    private boolean isCancelled;

    Task(Runnable act) {
      this.act = act;
    }

    @Override
    void cancel() {
      isCancelled = true;
      if (future != null) future.cancel(false);
    }

    /** On the loop, as {@code cancel} is: a timer that was cancelled while it was posted runs nothing. */
    @Override
    public void run() {
      if (!isCancelled) act.run();
    }
  }
}
