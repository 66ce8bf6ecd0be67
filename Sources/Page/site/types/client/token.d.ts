/** @param {TokenSource | undefined} source @param {{renew?: boolean}} [ask] @returns {Promise<string | undefined>} */
export function askForToken(source: TokenSource | undefined, { renew }?: {
    renew?: boolean;
}): Promise<string | undefined>;
/**
 * The claims of a token, unverified: the gateway checks them, here they only have to be read.
 * @param {string | undefined} token
 * @returns {Record<string, any>} none if it can't be read
 */
export function claimsOf(token: string | undefined): Record<string, any>;
/**
 * @param {string | undefined} token
 * @param {number} [nowMs] the wall clock
 * @returns {number | null} milliseconds until it should be renewed; null if it tells no end, or is over by this clock
 */
export function renewalIn(token: string | undefined, nowMs?: number): number | null;
/** @param {string | undefined} token @param {string | undefined} other @returns {boolean} whether the first ends later */
export function endsLater(token: string | undefined, other: string | undefined): boolean;
/**
 * A JSON Web Token, or who is asked for one: each time that a stream opens or something is sent, and with `renew` when
 * the last one was refused or soon ends. What it throws counts as a failure to connect: it is asked again, later.
 */
export type TokenSource = string | ((ask: {
    renew: boolean;
}) => string | undefined | Promise<string | undefined>);
