import { world } from '@darkroom-service/contract';
import type { PullStatus } from '../pull-status.ts';
import type { ServerView } from '../servers/server-spec.ts';
import type { ModelRecord } from '../store.ts';
import type { LocalFailureView } from './local-wire.ts';

/** State of this machine that operators see and that changes by itself. */
interface LocalState {
  readonly pull: PullStatus | null;
  readonly failures: ReadonlyMap<string, LocalFailureView>;
  readonly records: readonly ModelRecord[];
  readonly servers: readonly ServerView[];
}

/** Notifies pages of operators that pulls, models or servers of this machine have changed, in any process. */
interface LocalChanges {
  /** Calls the listener once the state is known, then when it changes. @returns a function that ends the watch */
  watch(listener: () => void): () => void;
}

const LOOK_EVERY_MS = 1_000;
/** Change of a server's memory that counts; the memory of an idle server varies by less. */
const MEMORY_STEP = 64 * 1024 ** 2;

/** Reads the state only while somebody watches, once for all watchers of this process. */
export function createLocalChanges(read: () => Promise<LocalState>): LocalChanges {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  let known: string | null = null;
  let looking: Promise<void> | null = null;

  async function readNow(): Promise<void> {
    const found = fingerprintOf(await read());
    const hasChanged = known !== null && found !== known;
    known = found;
    if (!hasChanged) return;
    for (const listener of listeners) listener();
  }

  /** Reads the state. A failed read is repeated at the next look. */
  function poll(): Promise<void> {
    looking ??= readNow()
      .catch(() => {})
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  return {
    watch(listener) {
      listeners.add(listener);
      timer ??= world.setInterval(() => void poll(), LOOK_EVERY_MS).unref();
      void poll().then(() => {
        if (listeners.has(listener)) listener();
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        world.clearInterval(timer);
        [timer, known] = [null, null];
      };
    },
  };
}

function fingerprintOf({ pull, failures, records, servers }: LocalState): string {
  return JSON.stringify([
    pull,
    [...failures],
    records.map(({ name, pulled_at: at }) => [name, at]),
    servers.map(({ memory_bytes: memory, ...rest }) => [rest, memory && Math.round(memory / MEMORY_STEP)]),
  ]);
}
