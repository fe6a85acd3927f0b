import { world } from '@darkroom-service/contract';
import type { Kernel, Session, Store } from '@darkroom-service/darkroom/kernel';

/** Notifies pages of operators that data they show may have changed, in any process. */
interface OperatorChanges {
  /** @returns a function that ends the watch */
  watch(listener: () => void): () => void;
}

/** Reads marks that change whenever operators see other data. */
type ReadMarks = (session: Session) => Promise<unknown>;

const LOOK_EVERY_MS = 2_000;

/**
 * Reads the database only while somebody watches, once for all watchers of this process.
 * @param outages returns the current outages of this process
 */
export function createOperatorChanges(
  database: Pick<Store, 'read' | 'kind' | 'changeCounter'>,
  events: Pick<Kernel['tasks']['events'], 'onAny'>,
  added: readonly ReadMarks[],
  outages: () => readonly unknown[] = () => [],
): OperatorChanges {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  let endListening = () => {};
  let known: string | null = null;
  let knownOutages = '[]';
  let lookedAt: number | null = null;
  let looking = false;
  const notify = () => {
    for (const listener of listeners) listener();
  };

  return {
    watch(listener) {
      listeners.add(listener);
      if (timer === null) {
        endListening = events.onAny(notify);
        timer = world.setInterval(() => void poll(), LOOK_EVERY_MS).unref();
        void poll();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        world.clearInterval(timer);
        endListening();
        [timer, known, lookedAt] = [null, null, null];
      };
    },
  };

  async function poll(): Promise<void> {
    const lasting = JSON.stringify(outages());
    if (lasting !== knownOutages) {
      knownOutages = lasting;
      notify();
    }
    const counter = database.changeCounter();
    // On PostgreSQL an announcement between processes may get lost.
    if (looking || (counter === lookedAt && database.kind === 'sqlite')) return;
    looking = true;
    try {
      const marks = await Promise.all([readMarks, ...added].map((read) => read(database.read)));
      const found = JSON.stringify(marks, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      const hasChanged = known !== null && found !== known;
      [known, lookedAt] = [found, counter];
      if (hasChanged) notify();
    } catch {
      // The database cannot be reached: the next look notifies.
    } finally {
      looking = false;
    }
  }
}

/** Reads marks that change with every order, outage and act: ends of indexes and small tables. */
async function readMarks(session: Session): Promise<unknown> {
  return await session.first(
    session.builder.selectNoFrom(({ selectFrom }) => [
      selectFrom('ledger')
        .select(({ fn }) => fn.max('created_at').as('mark'))
        .as('ledger'),
      selectFrom('audit_log')
        .select(({ fn }) => fn.max('id').as('mark'))
        .as('acts'),
      selectFrom('reconciliation')
        .select(({ fn }) => fn.max('id').as('mark'))
        .as('unknown'),
      selectFrom('valves')
        .select(({ fn }) => fn.countAll().as('mark'))
        .as('valves'),
      selectFrom('valves')
        .select(({ fn }) => fn.sum('times').as('mark'))
        .as('times'),
      selectFrom('valves')
        .select(({ fn }) => fn.max('trial_until').as('mark'))
        .as('trials'),
      selectFrom('instances')
        .select(({ fn }) => fn.max('asked_at').as('mark'))
        .as('asked'),
    ]),
  );
}
