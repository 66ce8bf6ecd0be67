/**
 * The client needs little of what surrounds it: browsers and Node have it all, React Native and mini-programs have not. What
 * is missing is an error at once, with its name.
 */
export class MissingError extends TypeError {
  name = "MissingError";
}

/** @param {...string} names of globals that must be there */
export function need(...names) {
  for (const name of names) {
    if (globalThis[name] === undefined) throw new MissingError(`${name} is missing here, and Flyscreen needs it: add a polyfill before the client is made`);
  }
}

/** Reports an error of somebody else's, and goes on. @param {unknown} error */
export function report(error) {
  (globalThis.reportError ?? console.error)(error);
}
