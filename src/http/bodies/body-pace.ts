/** Bytes that a key may send before it is slowed down: one body of the largest size. */
const BURST_BYTES = 33_554_432;
/**
 * Permitted speed of an owner. A network carries more; reading and hashing this much takes about a seventh of a core.
 */
const BYTES_PER_MS = 33_554;
/** Minimum number of bytes that a piece counts: reading it costs as much, however short it is. */
const LEAST_BYTES = 256;
const OWNERS_REMEMBERED = 10_000;

/** Counts the bytes of a long body that were read. Returns the pause before more is read, in milliseconds; 0 = none. */
export type BodyPace = (owner: string, bytes: number) => number;

/**
 * Limits how fast the long bodies of one API key are read together, so that a key that sends one after the other does
 * not occupy the process. Nothing is refused: the sender is read more slowly.
 * @param now returns milliseconds that never go back.
 */
export function createBodyPace(now: () => number): BodyPace {
  /** Time at which each owner's bytes so far are read at the permitted speed, by owner. */
  const owners = new Map<string, number>();
  return (owner, bytes) => {
    const time = now();
    const until = Math.max(time, owners.get(owner) ?? 0) + Math.max(bytes, LEAST_BYTES) / BYTES_PER_MS;
    if (owners.size >= OWNERS_REMEMBERED) for (const [other, end] of owners) if (end <= time) owners.delete(other);
    owners.set(owner, until);
    return Math.max(0, until - time - BURST_BYTES / BYTES_PER_MS);
  };
}
