/**
 * The task or request that the main thread works on, in memory that the heartbeat thread reads and reports when the
 * event loop stands still. Writing it takes about a microsecond.
 */
export interface RunningRequest {
  /** Records that the synchronous part of a request begins. @param description ASCII; cut to 240 characters */
  begin(description: string): void;
  /** Records that it has ended. The description stays: work that follows an `await` may belong to the request. */
  end(): void;
  /**
   * Records work on a task: its files are collected, or its upstream is called. Three of each kind are named.
   * @param description ASCII; cut to 112 characters
   * @returns a function that records its end, called once
   */
  work(kind: 'collect' | 'call', description: string): () => void;
}

/** Lengths of texts and whether a request runs, each 4 bytes: the request's two, then one for each named task. */
const HEADER_BYTES = 32;
const LONGEST = 240;
/** Maximum number of tasks that are named of each kind. */
const MOST_NAMED = 3;
const KINDS = { collect: 0, call: MOST_NAMED } as const;
/** Maximum characters of a description: the work, a task's id and an upstream's name. */
const LONGEST_WORK = 112;
/** Bytes of shared memory that the record takes. */
export const RUNNING_BYTES = HEADER_BYTES + LONGEST + 2 * MOST_NAMED * LONGEST_WORK;

/** Work in progress. Thousands of calls may run at once, so only named work is written. */
interface Work {
  readonly description: string;
  /** Index at which the work is named; null while other work is named instead. */
  place: number | null;
}

/** Creates the record of the running request. @param offset position in the shared memory, in bytes; a multiple of 4 */
export function createRunningRequest(shared: SharedArrayBuffer, offset: number): RunningRequest {
  const { state, request, work } = placesOf(shared, offset);
  const named: (Work | null)[] = work.map(() => null);
  const unnamed = { collect: new Set<Work>(), call: new Set<Work>() };
  let begun = 0;

  function name(place: number, next: Work | null): void {
    if (next !== null) next.place = place;
    named[place] = next;
    Atomics.store(state, 2 + place, next === null ? 0 : work[place]!.write(next.description, 'latin1'));
  }

  return {
    begin(description) {
      const length = request.write(description, 'latin1');
      Atomics.store(state, 1, length);
      Atomics.store(state, 0, 1);
    },
    end() {
      Atomics.store(state, 0, 0);
    },
    work(kind, description) {
      const others = unnamed[kind];
      const begins: Work = { description, place: null };
      const place = KINDS[kind] + (begun++ % MOST_NAMED);
      const before = named[place] ?? null;
      if (before !== null) {
        before.place = null;
        others.add(before);
      }
      name(place, begins);
      return () => {
        if (begins.place === null) return void others.delete(begins);
        const [longest = null] = others;
        if (longest !== null) others.delete(longest);
        name(begins.place, longest);
      };
    },
  };
}

/**
 * Describes the request that runs; else the tasks that are worked on; else the last request that began; null if none
 * has.
 */
export function readRunningRequest(shared: SharedArrayBuffer, offset: number): string | null {
  const { state, request, work } = placesOf(shared, offset);
  const requestLength = Atomics.load(state, 1);
  const named = request.toString('latin1', 0, requestLength);
  if (Atomics.load(state, 0) === 1) return `Running: ${named}.`;
  const works = work.map((text, place) => text.toString('latin1', 0, Atomics.load(state, 2 + place)));
  const inProgress = works.filter((text) => text !== '');
  if (inProgress.length > 0) return `Work in progress: ${inProgress.join('; ')}.`;
  return requestLength === 0 ? null : `The last that began: ${named}.`;
}

function placesOf(shared: SharedArrayBuffer, offset: number) {
  const textsAt = offset + HEADER_BYTES;
  return {
    state: new Int32Array(shared, offset, HEADER_BYTES / 4),
    request: Buffer.from(shared, textsAt, LONGEST),
    work: Array.from({ length: 2 * MOST_NAMED }, (_, place) =>
      Buffer.from(shared, textsAt + LONGEST + place * LONGEST_WORK, LONGEST_WORK),
    ),
  };
}
