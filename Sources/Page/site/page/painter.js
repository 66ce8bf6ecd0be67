import { at } from "./flight.js";

/*
 * Draws what flies by itself, hearts and red packets, in a worker: they fly on however much the page has to do, and none
 * of them is an element.
 */

/** @import { Flight } from "./flight.js" */

/** One canvas, and what flies on it. */
class Sheet {
  /** @type {Map<string, Flight>} */
  #flights = new Map();
  #context;
  #size = { width: 0, height: 0, ratio: 1 };
  #isClear = true;

  /** @param {OffscreenCanvas} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.#context = canvas.getContext("2d");
  }

  /** @param {{width: number, height: number, ratio: number}} size pixels of the stage, and of the canvas for each */
  resize(size) {
    this.#size = size;
    this.canvas.width = Math.max(1, Math.round(size.width * size.ratio));
    this.canvas.height = Math.max(1, Math.round(size.height * size.ratio));
  }

  /** @param {string} key @param {Flight} flight */
  fly(key, flight) {
    this.#flights.set(key, flight);
  }

  /** @param {string} key */
  land(key) {
    this.#flights.delete(key);
  }

  /**
   * @param {number} now by the clock of all of the page's threads
   * @returns {boolean} whether anything still flies
   */
  draw(now) {
    const { width, height, ratio } = this.#size;
    const context = this.#context;
    if (!this.#isClear) {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      this.#isClear = true;
    }
    const isBelow = ([, { level }]) => level === 0;
    const flights = [...this.#flights];
    for (const [key, flight] of [...flights.filter(isBelow), ...flights.filter((one) => !isBelow(one))]) {
      const share = (now - flight.startMs) / flight.durationMs;
      if (share >= 1) this.#flights.delete(key);
      const image = art.get(flight.art);
      if (share < 0 || share >= 1 || !image) continue;
      const { x, xPx, y, yPx, turn, size, opacity } = at(flight.frames, flight.isEased ? easeOut(share) : share);
      const radians = (turn * Math.PI) / 180;
      const [cos, sin] = [Math.cos(radians) * ratio * size, Math.sin(radians) * ratio * size];
      context.setTransform(cos, sin, -sin, cos, (x * width + xPx) * ratio, (y * height + yPx) * ratio);
      context.globalAlpha = opacity;
      context.drawImage(image, -flight.width / 2, -flight.height / 2, flight.width, flight.height);
      this.#isClear = false;
    }
    return this.#flights.size > 0 || !this.#isClear;
  }
}

/** About as `ease-out` does. @param {number} share */
const easeOut = (share) => 1 - (1 - share) ** 1.7;

/** @type {Map<string, ImageBitmap>} */
const art = new Map();
/** @type {Map<number, Sheet>} */
const sheets = new Map();
let frame = 0;

function draw() {
  frame = 0;
  const now = performance.timeOrigin + performance.now();
  let isBusy = false;
  for (const sheet of sheets.values()) isBusy = sheet.draw(now) || isBusy;
  if (isBusy) frame = requestAnimationFrame(draw);
}

addEventListener("message", ({ data: { picture, id, canvas, size, fly, land, isOver } }) => {
  if (picture) art.set(picture.name, picture.bitmap);
  if (canvas) sheets.set(id, new Sheet(canvas));
  const sheet = sheets.get(id);
  if (isOver) sheets.delete(id);
  if (size) sheet?.resize(size);
  if (fly) sheet?.fly(fly.key, fly.flight);
  if (land !== undefined) sheet?.land(land);
  frame ||= requestAnimationFrame(draw);
});
