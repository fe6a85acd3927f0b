/**
 * What the main thread works on, in memory that the heartbeat thread reads: it names the request in its last words when
 * the event loop stands. Writing it takes less than a microsecond.
 */
export interface RunningRequest {
  /** Records that the synchronous part of a request begins. @param description ASCII; cut to 240 characters */
  begin(description: string): void;
  /** Records that it has ended. The description stays: what follows an `await` may belong to it. */
  end(): void;
}

const HEADER_BYTES = 8;
const LONGEST = 240;
/** How much shared memory it takes. */
export const RUNNING_BYTES = HEADER_BYTES + LONGEST;

/** @param offset of its place in the shared memory; a multiple of 4 */
export function createRunningRequest(shared: SharedArrayBuffer, offset: number): RunningRequest {
  const [state, text] = placesOf(shared, offset);
  return {
    begin(description) {
      const length = text.write(description, 'latin1');
      Atomics.store(state, 1, length);
      Atomics.store(state, 0, 1);
    },
    end() {
      Atomics.store(state, 0, 0);
    },
  };
}

/** Describes the request that runs, or the last one that began; null if none has. */
export function readRunningRequest(shared: SharedArrayBuffer, offset: number): string | null {
  const [state, text] = placesOf(shared, offset);
  const length = Atomics.load(state, 1);
  if (length === 0) return null;
  const isRunning = Atomics.load(state, 0) === 1;
  return `${isRunning ? 'Running' : 'The last that began'}: ${text.toString('latin1', 0, length)}.`;
}

function placesOf(shared: SharedArrayBuffer, offset: number): readonly [Int32Array, Buffer] {
  return [new Int32Array(shared, offset, 2), Buffer.from(shared, offset + HEADER_BYTES, LONGEST)];
}
