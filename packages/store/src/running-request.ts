/**
 * The task or request that the main thread works on, in memory that the heartbeat thread reads and reports when the
 * event loop stands still. Writing it takes about a microsecond.
 */
export interface RunningRequest {
  /** Records that the synchronous part of a request begins. @param description ASCII; cut to 240 characters */
  begin(description: string): void;
  /** Records that it has ended. The description stays: what follows an `await` may belong to it. */
  end(): void;
  /**
   * Records work on a task: its files are collected, or its upstream is called.
   * @param description ASCII
   * @returns a function that records its end, called once
   */
  work(kind: 'collect' | 'call', description: string): () => void;
}

const HEADER_BYTES = 12;
const LONGEST = 240;
/** How much shared memory it takes. */
export const RUNNING_BYTES = HEADER_BYTES + 2 * LONGEST;
/** Tasks that are named of each kind: the last that began. */
const MOST_NAMED = 3;

/** Work in progress, linked to its neighbours in the order of beginning: thousands of calls may run at once. */
interface Work {
  readonly description: string;
  older: Work | null;
  newer: Work | null;
}

/** Creates the record of the running request. @param offset of its place in the shared memory; a multiple of 4 */
export function createRunningRequest(shared: SharedArrayBuffer, offset: number): RunningRequest {
  const { state, request, work } = placesOf(shared, offset);
  const newest: Record<'collect' | 'call', Work | null> = { collect: null, call: null };

  function writeWork(): void {
    const named = [...namesOf(newest.collect), ...namesOf(newest.call)];
    Atomics.store(state, 2, work.write(named.join('; '), 'latin1'));
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
      const begun: Work = { description, older: newest[kind], newer: null };
      if (begun.older !== null) begun.older.newer = begun;
      newest[kind] = begun;
      writeWork();
      return () => {
        if (begun.older !== null) begun.older.newer = begun.newer;
        if (begun.newer !== null) begun.newer.older = begun.older;
        else newest[kind] = begun.older;
        writeWork();
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
  const [isRunning, requestLength, workLength] = [0, 1, 2].map((at) => Atomics.load(state, at)) as [
    number,
    number,
    number,
  ];
  const named = request.toString('latin1', 0, requestLength);
  if (isRunning === 1) return `Running: ${named}.`;
  if (workLength > 0) return `Work in progress: ${work.toString('latin1', 0, workLength)}.`;
  return requestLength === 0 ? null : `The last that began: ${named}.`;
}

function namesOf(newest: Work | null): string[] {
  const names: string[] = [];
  for (let work = newest; work !== null && names.length < MOST_NAMED; work = work.older) names.push(work.description);
  return names;
}

function placesOf(shared: SharedArrayBuffer, offset: number) {
  return {
    state: new Int32Array(shared, offset, 3),
    request: Buffer.from(shared, offset + HEADER_BYTES, LONGEST),
    work: Buffer.from(shared, offset + HEADER_BYTES + LONGEST, LONGEST),
  };
}
