/** Orders that may be open at once. */
export const MOST_OPEN = 2 ** 20;
export const NONE = -1;

/** Creates the state of the open orders: one entry of each array per order, at its number modulo `MOST_OPEN`. */
export function createOrders() {
  return {
    account: new Int32Array(MOST_OPEN).fill(NONE),
    model: new Int16Array(MOST_OPEN),
    upstream: new Int16Array(MOST_OPEN),
    worker: new Int16Array(MOST_OPEN),
    attempts: new Int16Array(MOST_OPEN),
    film: new Uint8Array(MOST_OPEN),
    rank: new Float64Array(MOST_OPEN),
    createdAt: new Float64Array(MOST_OPEN),
    submittedAt: new Float64Array(MOST_OPEN),
    readyAt: new Float64Array(MOST_OPEN),
  };
}
