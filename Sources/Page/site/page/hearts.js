import { asImage, element } from "./element.js";
import { isReduced } from "./motion.js";

/** Nodes at a time: a crowd may tap as it likes. */
const LIMIT = 70;
const colours = ["#ff3b6b", "#ff6aa8", "#ff8d5c", "#ffd05c", "#b06bff", "#5ca8ff", "#ff4fd8"];
const images = colours.map((colour) =>
  asImage(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="${colour}" d="M32 57C13 44 5 34 5 22 5 13 12 7 19 7c6 0 10 3 13 8 3-5 7-8 13-8 7 0 14 6 14 15 0 12-8 22-27 35z"/><path fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-opacity=".85" d="M13 24c0-5 3-9 8-9"/></svg>`));

/**
 * Hearts that rise from where somebody tapped.
 */
export class Hearts {
  #count = 0;

  constructor() {
    this.node = element("div.hearts", { "aria-hidden": "true" });
  }

  /**
   * @param {{x: number, y: number}[]} points thousandths of the stage
   * @param {{isOwn?: boolean}} [how]
   */
  throw(points, { isOwn = false } = {}) {
    for (const { x, y } of points) {
      if (this.#count >= LIMIT) return;
      const heart = element("i.heart");
      heart.style.left = `${x / 10}%`;
      heart.style.top = `${y / 10}%`;
      heart.style.backgroundImage = isOwn ? images[0] : images[Math.floor(Math.random() * images.length)];
      if (isOwn) heart.classList.add("is-own");
      this.node.append(heart);
      this.#count += 1;
      const flight = heart.animate(frames(isOwn), { duration: 1300 + 700 * Math.random(), easing: "ease-out", fill: "both" });
      const land = () => {
        heart.remove();
        this.#count -= 1;
      };
      flight.finished.then(land, land);
    }
  }

  clear() {
    for (const heart of [...this.node.children]) for (const flight of heart.getAnimations()) flight.cancel();
  }
}

/** The chances here are for the eye alone: no two hearts rise alike. */
function frames(isOwn) {
  if (isReduced()) return [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }];
  const lean = (Math.random() - 0.5) * 50;
  const sway = (Math.random() - 0.5) * 90;
  const size = isOwn ? 1 : 0.5 + Math.random() * 0.45;
  const rise = isOwn ? 120 : 150 + Math.random() * 130;
  return [
    { transform: `scale(${size * 0.2}) rotate(${lean}deg)`, opacity: 0 },
    { transform: `scale(${size * 1.25}) rotate(${lean}deg)`, opacity: 1, offset: 0.1 },
    { transform: `scale(${size * 0.94}) rotate(${lean}deg)`, opacity: 1, offset: 0.18 },
    { transform: `translate(${sway * 0.6}px, ${-rise * 0.5}px) scale(${size}) rotate(${lean * 0.3}deg)`, opacity: 0.95, offset: 0.55 },
    { transform: `translate(${sway}px, ${-rise}px) scale(${size * (isOwn ? 1.7 : 0.8)}) rotate(${-lean * 0.4}deg)`, opacity: 0 },
  ];
}
