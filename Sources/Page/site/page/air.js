import { element } from "./element.js";
import { pixelsOfStage } from "./stage.js";

/** @import { Flight } from "./flight.js" */

/** The thread that draws. It is there before anything flies: a gateway that was upgraded meanwhile may not have its file. */
const address = document.querySelector("meta[name=painter]")?.getAttribute("content");
const painter = address ? new Worker(address, { type: "module" }) : null;
/** @type {Set<string>} the pictures that the painter has, or soon will have */
const painted = new Set();
let airs = 0;

/** The time now, by a clock that all threads of the page share. */
export const sharedNow = () => performance.timeOrigin + performance.now();

/**
 * Hands the painter a picture, in the size in which it is drawn now.
 * @param {string} name
 * @param {string} markup of an `<svg>` with its `xmlns`
 * @param {{width: number, height: number, edge?: number, shadow?: {colour: string, blur: number, y: number}}} looks pixels
 *   of the stage; `edge`: those around it, where its shadow falls
 * @returns {string} the name under which the painter has it
 */
export function picture(name, markup, { width, height, edge = 0, shadow }) {
  // Steps of a half keep the number of sizes low, whatever windows do.
  const ratio = Math.ceil(pixelsOfStage() * 2) / 2;
  const sized = `${name}@${ratio}`;
  if (painted.has(sized)) return sized;
  painted.add(sized);
  const image = new Image(width * ratio, height * ratio);
  image.onload = () => {
    const canvas = new OffscreenCanvas(Math.ceil((width + 2 * edge) * ratio), Math.ceil((height + 2 * edge) * ratio));
    const context = canvas.getContext("2d");
    if (shadow) Object.assign(context, { shadowColor: shadow.colour, shadowBlur: shadow.blur * ratio, shadowOffsetY: shadow.y * ratio });
    context.drawImage(image, edge * ratio, edge * ratio, width * ratio, height * ratio);
    const bitmap = canvas.transferToImageBitmap();
    painter?.postMessage({ picture: { name: sized, bitmap } }, [bitmap]);
  };
  // Some browsers draw nothing of an image that has no size of its own.
  image.src = `data:image/svg+xml,${encodeURIComponent(markup.replace("<svg", `<svg width="${width * ratio}" height="${height * ratio}"`))}`;
  return sized;
}

/** A part of the stage in which things fly, on one canvas. While it is empty it has none. */
export class Air {
  #id = 0;
  #size = { width: 0, height: 0 };

  /** @param {string} name of its style */
  constructor(name) {
    this.node = element(`div.air.${name}`, { "aria-hidden": "true" });
  }

  /** @param {number} width @param {number} height pixels of the stage */
  resize(width, height) {
    this.#size = { width, height };
    if (this.#id) painter?.postMessage({ id: this.#id, size: this.#sized });
  }

  /** @param {string} key @param {Flight} flight */
  fly(key, flight) {
    if (!this.#id) this.#begin();
    painter?.postMessage({ id: this.#id, fly: { key, flight } });
  }

  /** @param {string} key of one that flies, or has landed */
  land(key) {
    if (this.#id) painter?.postMessage({ id: this.#id, land: key });
  }

  clear() {
    if (this.#id) painter?.postMessage({ id: this.#id, isOver: true });
    this.#id = 0;
    this.node.replaceChildren();
  }

  get #sized() {
    return { ...this.#size, ratio: pixelsOfStage() };
  }

  #begin() {
    this.#id = airs += 1;
    const node = /** @type {HTMLCanvasElement} */ (element("canvas"));
    this.node.append(node);
    const canvas = node.transferControlToOffscreen();
    painter?.postMessage({ id: this.#id, canvas, size: this.#sized }, [canvas]);
  }
}
