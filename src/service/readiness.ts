import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import type { Engine } from '../engines/engine.ts';
import { enginesInUse } from '../engines/engines-in-use.ts';
import type { ReadinessReport } from '../http/http-options.ts';
import { describeCircuit } from '../routing/circuit.ts';
import type { Circuits } from '../routing/circuits.ts';
import type { Storage } from '../storage/storage.ts';
import { type CheckResult, createCheck } from './readiness-check.ts';

const DEADLINE_MS = 1_500;
const READ_FRESH_MS = 1_000;
/** These two write something each time. */
const WRITE_FRESH_MS = 10_000;
const STORAGE_FRESH_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
/** Probes call the upstreams, so they are rare. */
const PROBES_FRESH_MS = 60_000;
const WATCH_EVERY_MS = 5_000;

export interface Readiness {
  /**
   * Checks what the service can do now. Takes at most the deadline of one check.
   * @param options.probeEngines also waits for the engines' probes, up to their timeout.
   */
  report(options?: { readonly probeEngines?: boolean }): Promise<ReadinessReport>;
  /** Whether the database could be read at the last check. */
  isDatabaseUp(): boolean;
  /**
   * Checks the dependencies periodically, so that an outage is logged although nobody asks. @returns a function that
   * stops it.
   */
  watch(): () => void;
}

/**
 * Checks what the service depends on: the database (reading and writing) and the storage. Logs each outage once when it
 * begins and once when it ends. Engines are reported but do not affect readiness.
 */
export function createReadiness(parts: {
  readonly database: Database;
  readonly storage: Storage;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly circuits: Pick<Circuits, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly deadlineMs?: number;
  /** Overrides the cache times, in tests. */
  readonly freshMs?: number | undefined;
}): Readiness {
  const { database, storage, deadlineMs = DEADLINE_MS } = parts;
  let ended = false;
  const onChange = ({ name, ok, detail }: CheckResult, lastedMs: number) => {
    // Closing dependencies during a stop is not an outage.
    if (ended) return;
    if (ok) parts.log.info({ check: name, outage_seconds: Math.round(lastedMs / 1000) }, 'outage ended');
    else parts.log.error({ check: name, reason: detail }, 'outage began');
  };
  const check = (name: string, freshMs: number, run: () => Promise<string>) =>
    createCheck({ name, run, freshMs: parts.freshMs ?? freshMs, deadlineMs, onChange });
  let databaseUp = true;
  const canRead = check('database', READ_FRESH_MS, () => readSchemaVersion(database));
  const canWrite = check('database writes', WRITE_FRESH_MS, () => writeMark(database));
  const canStore = check('storage', STORAGE_FRESH_MS, async () => {
    await storage.check();
    return 'written and read back';
  });
  let probes: { readonly at: number; readonly ended: Promise<unknown> } | null = null;
  const probed = new Map<string, CheckResult>();

  return {
    async report({ probeEngines = false } = {}) {
      const probing = refreshProbes();
      const [reads, writes, files] = await Promise.all([canRead(), canWrite(), canStore()]);
      databaseUp = reads.ok;
      if (probeEngines) await probing;
      const orders = reads.ok && writes.ok;
      return {
        ready: orders || reads.ok,
        orders,
        reads: reads.ok,
        files: reads.ok && files.ok,
        checks: [reads, writes, files, ...engineChecks()],
      };
    },
    isDatabaseUp: () => databaseUp,
    watch() {
      const timer = setInterval(() => {
        void canRead().then((result) => {
          databaseUp = result.ok;
        });
        void canWrite();
        void canStore();
      }, WATCH_EVERY_MS);
      timer.unref();
      return () => {
        ended = true;
        clearInterval(timer);
      };
    },
  };

  /** Probes run in the background; each has its own timeout, even if an engine ignores its signal. */
  function refreshProbes(): Promise<unknown> {
    const now = performance.now();
    if (probes === null || now - probes.at > PROBES_FRESH_MS) {
      const all = enginesInUse(parts.engines).map(async (engine) => probed.set(engine.name, await probe(engine)));
      probes = { at: now, ended: Promise.all(all) };
    }
    return probes.ended;
  }

  function engineChecks(): CheckResult[] {
    return enginesInUse(parts.engines).map(({ name: engine }) => {
      const name = `engine ${engine}`;
      // A circuit is more informative than a probe of an upstream that gets no orders.
      const opened = parts.circuits.of(engine);
      if (opened !== null) return { name, ok: false, detail: describeCircuit(opened, parts.clock.now()) };
      return probed.get(engine) ?? { name, ok: true, detail: 'configured; not probed yet' };
    });
  }
}

async function readSchemaVersion({ kind, read }: Database): Promise<string> {
  const row = await read.first(
    read.builder.selectFrom('schema_migrations').select((expression) => expression.fn.max('version').as('version')),
  );
  const version = row?.version ?? 0;
  // During an upgrade, the previous version runs on a newer schema, which only adds things.
  if (version < SCHEMA_VERSION) throw new Error(`schema version ${version}, expected ${SCHEMA_VERSION}`);
  return `${kind}, schema version ${version}`;
}

/** Commits one small row: only a write detects a read-only database or a full disk. */
async function writeMark(database: Database): Promise<string> {
  await database.write('check_write', (trx) =>
    trx.run(
      trx.builder
        .insertInto('chores')
        .values({ name: 'write_check', next_at: trx.now })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ next_at: trx.now })),
    ),
  );
  return 'committed';
}

async function probe(engine: Engine): Promise<CheckResult> {
  const run = async () => {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const found = await engine.probe?.({ signal, onProgress: () => {} });
    if (found?.ok === false) throw new Error(found.message);
    return found?.message ?? 'configured';
  };
  return await createCheck({ name: `engine ${engine.name}`, run, deadlineMs: PROBE_TIMEOUT_MS, freshMs: 0 })();
}
