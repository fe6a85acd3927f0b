/** Number of chunks in the window. */
const PIECES = 2_000;
/** Minimum average bytes of a chunk. Normal senders send kilobytes. */
const LEAST_BYTES = 64;
/** Chunks by which the window advances, so that a connection needs no memory for each chunk. */
const STEP = 100;

/**
 * Watches the size of the chunks in which a body arrives: each costs time and memory, however few bytes it has, so a
 * limit of bytes alone does not bound the work. The window slides: large chunks before it do not count.
 * @example if (window.add(chunk.length)) socket.destroy();
 */
export class PieceWindow {
  readonly #withinMs: number;
  readonly #steps: { readonly bytes: number; readonly since: number }[] = [];
  #bytes = 0;
  #pieces = 0;
  #since = 0;

  /**
   * Creates a window. @param withinMs milliseconds; if 2,000 chunks took longer, they cost too little to matter.
   * Default: no limit.
   */
  constructor(withinMs = Infinity) {
    this.#withinMs = withinMs;
  }

  /** Counts a chunk. Returns whether the last 2,000 had fewer than 64 bytes on average; checked every 100 chunks. */
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
