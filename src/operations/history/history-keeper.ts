import { sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { figureName } from '../../base/keyed-engine.ts';
import type { Log } from '../../base/log.ts';
import { claimChore } from '../../database/claim-chore.ts';
import type { Database, Session } from '../../database/database.ts';
import { IN_FLIGHT } from '../../tasks/in-flight.ts';
import { partsOf } from '../../tasks/queue-names.ts';
import { countSlot } from './count-slot.ts';
import { SLOT_MS, slotStart } from './slot.ts';
import { countedRange, deleteOldHistory, storeSample, storeSlot } from './store-slot.ts';

/** Counts what engines did, slot by slot, so that reports over a month read few rows. */
export interface HistoryKeeper {
  stop(): Promise<void>;
}

export interface HistoryKeeperOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;
/** No transaction is open that long: all entries of an older slot are committed. */
const SETTLED_AFTER_MS = 120_000;
const MONTH_MS = 30 * 24 * 60 * 60_000;
/** The first start counts a month; meanwhile other processes may take their turn. */
const SLOTS_AT_ONCE = 300;

export function startHistoryKeeper(options: HistoryKeeperOptions): HistoryKeeper {
  const stopping = new AbortController();
  let turn: Promise<void> | null = null;
  const timer = setInterval(() => {
    turn ??= takeTurn()
      .catch((error: unknown) => options.log.error({ err: error }, 'could not count what engines did; retrying'))
      .finally(() => {
        turn = null;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await turn;
    },
  };

  async function takeTurn(): Promise<void> {
    if (await claimChore(options.database, 'engine history', EVERY_MS)) await keepHistory(options, stopping.signal);
  }
}

/** Samples the orders under way, and counts the slots that are due. */
export async function keepHistory({ database, clock }: HistoryKeeperOptions, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  const underWay = await countUnderWay(database.read);
  await database.write('history_sample', async (trx) => {
    await storeSample(trx, now, underWay);
    await deleteOldHistory(trx, now);
  });
  const counted = await countedRange(database.read);
  let from = Math.max(counted?.to ?? (await firstSlot(database.read, now)), slotStart(now - MONTH_MS, SLOT_MS));
  for (let slots = 0; slots < SLOTS_AT_ONCE && from + SLOT_MS <= now - SETTLED_AFTER_MS; slots++, from += SLOT_MS) {
    if (signal?.aborted === true) return;
    const [start, figures] = [from, await countSlot(database.reports, from, from + SLOT_MS)];
    await database.write('history_slot', (trx) => storeSlot(trx, start, figures));
  }
}

async function firstSlot(session: Session, now: number): Promise<number> {
  const first = await session.first(session.builder.selectFrom('ledger').select('created_at').orderBy('id').limit(1));
  return slotStart(first?.created_at ?? now, SLOT_MS);
}

async function countUnderWay(session: Session): Promise<Map<string, number>> {
  const rows = await session.all(
    session.builder
      .selectFrom('tasks')
      .select(['queue', sql<number>`count(*)`.as('tasks')])
      .where(IN_FLIGHT)
      .groupBy('queue'),
  );
  const counts = new Map<string, number>();
  for (const { queue, tasks } of rows) {
    const { engine, mode } = partsOf(queue);
    const name = figureName(engine);
    if (mode === 'live') counts.set(name, (counts.get(name) ?? 0) + Number(tasks));
  }
  return counts;
}
