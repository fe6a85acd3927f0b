/** How many pieces are looked at together. */
const PIECES = 2_000;
/** What each of them must have on average. Senders that mean well send kilobytes. */
const LEAST_BYTES = 64;
/** The window moves on by so many, so that a connection needs no memory for each piece. */
const STEP = 100;

/**
 * Watches the size of the pieces in which a body arrives: each costs time and memory, however few bytes it has, so a
 * limit on bytes alone bounds no work. The window slides: large pieces before it make up for nothing.
 * @example if (window.add(chunk.length)) socket.destroy();
 */
export class PieceWindow {
  readonly #withinMs: number;
  readonly #steps: { readonly bytes: number; readonly since: number }[] = [];
  #bytes = 0;
  #pieces = 0;
  #since = 0;

  /** @param withinMs 2,000 pieces that took longer are too few to cost anything. Default: no such time. */
  constructor(withinMs = Infinity) {
    this.#withinMs = withinMs;
  }

  /** Counts a piece. Returns whether the last 2,000 had fewer than 64 bytes on average, looked at every 100. */
  add(bytes: number): boolean {
    if (this.#pieces === 0) this.#since = performance.now();
    this.#bytes += bytes;
    this.#pieces++;
    if (this.#pieces < STEP) return false;
    this.#steps.push({ bytes: this.#bytes, since: this.#since });
    this.#bytes = 0;
    this.#pieces = 0;
    if (this.#steps.length < PIECES / STEP) return false;
    const isSmall = this.#steps.reduce((sum, step) => sum + step.bytes, 0) < PIECES * LEAST_BYTES;
    const oldest = this.#steps.shift();
    return isSmall && performance.now() - (oldest?.since ?? 0) < this.#withinMs;
  }
}
