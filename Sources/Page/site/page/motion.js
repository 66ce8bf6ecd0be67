const asksForLess = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things should stand rather than move. */
export const isReduced = () => asksForLess.matches;

/** @param {() => void} listener */
export function onReducedChange(listener) {
  asksForLess.addEventListener("change", listener);
}

/**
 * Moves something that began at `atMs`: who comes late sees it where it is by now. Only what a compositor moves by
 * itself is moved: transform and opacity.
 * @param {Element} node
 * @param {Keyframe[]} frames
 * @param {{atMs: number, now: () => number, durationMs: number, easing?: string}} time log time
 * @returns {Animation}
 */
export function moveSince(node, frames, { atMs, now, durationMs, easing = "linear" }) {
  const animation = node.animate(frames, { duration: Math.max(1, durationMs), easing, fill: "both" });
  // A current time would only count from the next frame on.
  animation.startTime = performance.now() - (now() - atMs);
  return animation;
}

/** Removes a node when its animation is over, and never complains of one that was taken away before. */
export function removeAfter(animation, remove) {
  animation.finished.then(remove, () => {});
}

/** A step from the side with a little too much in it, as a spring goes. */
export const spring = "cubic-bezier(.2, 1.35, .42, 1)";
