import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ReferenceFault } from '@darkroom-service/media';
import { createEntryIds } from '../../src/accounts/entry-ids.ts';
import { RecentBalances } from '../../src/accounts/recent-balances.ts';
import { createFetch } from '../../src/additions/references/reference-fetcher.ts';
import type { Database, Transaction } from '../../src/database/database.ts';
import type { WorkKind } from '../../src/database/work.ts';
import { WaitingCounts } from '../../src/queue/waiting-counts.ts';
import type { TaskRecord } from '../../src/record/task-record.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { insertProcess } from '../helpers/insert-process.ts';
import { kernelOf } from '../helpers/kernel.ts';
import { createReleaseDue } from '../helpers/release-due.ts';
import { type ManualClock, openTestServices } from '../helpers/task-services.ts';
import { createSeeded, type Seeded } from '../lives/seeded.ts';

const PROCESSES = 3;
const PAUSED = 0.15;
const LONGEST_PAUSE_MS = 10;

/** A process with an API, a worker and all that additions do in the background, over the shared database. */
export interface Process {
  readonly name: string;
  readonly services: TaskServices;
  /** The orders that it has claimed and that nobody works on at this moment, as it knows them. */
  readonly claimed: Map<string, TaskRecord>;
  /** The batches and orders of which its feeder was told, and has not looked since. */
  readonly woken: Set<string>;
  readonly release: () => Promise<boolean>;
  readonly fetch: ReturnType<typeof createFetch>;
}

export interface Fleet {
  readonly processes: readonly [Process, ...Process[]];
  readonly clock: ManualClock;
  /** Sets where and how long transactions pause from now on. */
  pauseBy(seed: number): void;
}

/** Opens processes over one new database. On SQLite they share its one writer, as they do a connection. */
export async function openFleet(t: TestContext, kind: Database['kind']): Promise<Fleet> {
  const { services: shared, openAnother, clock } = await openTestServices(t, kind);
  let seeded = createSeeded(0);
  const processes: Process[] = [];
  for (let place = 0; place < PROCESSES; place++) {
    const own = place === 0 || kind === 'sqlite' ? shared : await openAnother();
    const database = kind === 'sqlite' ? own.database : withPauses(own.database, () => seeded);
    processes.push(openProcess({ ...own, database }, `process ${place}`));
  }
  for (const { name } of processes) await shared.database.write('process', (trx) => insertProcess(trx, name));
  return {
    processes: processes as unknown as Fleet['processes'],
    clock,
    pauseBy(seed) {
      seeded = createSeeded(seed);
    },
  };
}

function openProcess(shared: TaskServices, name: string): Process {
  const woken = new Set<string>();
  const services: TaskServices = {
    ...shared,
    queueDepths: new WaitingCounts(shared.clock),
    balances: new RecentBalances(),
    entryIds: createEntryIds(name),
    references: { ...shared.references, collect },
    wakeWork(kind?: WorkKind, subject?: string) {
      if (kind === 'batch' && subject !== undefined) woken.add(subject);
    },
  };
  const release = createReleaseDue(services);
  return { name, services, claimed: new Map(), woken, release, fetch: createFetch(kernelOf(services)) };
}

/** Fetches a reference whose address says how that ends. */
const collect: TaskServices['references']['collect'] = async (source, { key }) => {
  const url = 'url' in source ? source.url : '';
  if (url.includes('broken')) throw new ReferenceFault('it is no picture', { retryable: false });
  if (url.includes('busy')) throw new ReferenceFault('its host is busy', { retryable: true });
  const measured = { contentType: 'image/png', bytes: 7, width: 64, height: 64, durationSeconds: null, hasAudio: null };
  return { ...measured, key, sha256: '' } as unknown as Awaited<ReturnType<TaskServices['references']['collect']>>;
};

/** A handle whose transactions now and then stand still after a lock or a statement, and before they are committed. */
function withPauses(database: Database, seeded: () => Seeded): Database {
  const pause = async () => {
    if (seeded().happens(PAUSED)) await delay(seeded().between(0, LONGEST_PAUSE_MS));
  };
  const slowed =
    <T>(unit: (trx: Transaction) => Promise<T>) =>
    async (trx: Transaction): Promise<T> => {
      for (const name of ['first', 'all', 'run', 'firstShared', 'lock', 'tryLock'] as const) {
        const call = trx[name] as (...sent: unknown[]) => Promise<unknown>;
        Object.assign(trx, {
          async [name](...sent: unknown[]) {
            const answer = await call.apply(trx, sent);
            await pause();
            return answer;
          },
        });
      }
      const value = await unit(trx);
      await pause();
      return value;
    };
  return {
    ...database,
    write: (name, unit, options) => database.write(name, slowed(unit), options),
    writeAside: (name, unit) => database.writeAside(name, slowed(unit)),
  };
}
