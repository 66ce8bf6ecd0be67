/** A stage is drawn for a phone of this size, and made as large as there is room for. */
const WIDTH = 390;
const HEIGHT = 520;

/** `?overlay`: a room over nothing, for a browser source in a streaming program or above an app's own video. */
export const isOverlay = new URLSearchParams(location.search).has("overlay");

/** Keeps the stage as large as the window, whatever its size. */
export function scaleOverlay() {
  document.documentElement.classList.add("is-overlay");
  const fit = () => {
    const scale = Math.min(innerWidth / WIDTH, innerHeight / HEIGHT);
    document.documentElement.style.setProperty("--overlay-scale", String(scale));
    document.documentElement.style.setProperty("--overlay-width", `${innerWidth / scale}px`);
    document.documentElement.style.setProperty("--overlay-height", `${innerHeight / scale}px`);
  };
  addEventListener("resize", fit);
  fit();
}
