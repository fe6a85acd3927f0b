import type { Clock } from './base/clock.ts';
import type { Database } from './database/database.ts';
import { SCHEMA_VERSION } from './database/migrate.ts';
import type { Engine } from './engines/engine.ts';
import type { ReadinessReport } from './http/http-options.ts';
import type { Storage } from './storage/storage.ts';
import { describeCircuit } from './tasks/circuit.ts';
import type { Circuits } from './tasks/circuits.ts';

const PROBE_TIMEOUT_MS = 5_000;
/** Storage is written to, so a probe in quick succession is answered from memory. */
const REMEMBERED_MS = 2_000;
/** Engines are asked at their upstreams, which do not decide: rarely enough to be no burden there. */
const ENGINES_REMEMBERED_MS = 60_000;

/** Whether the service can take orders: database, schema, storage; engines are told of but do not decide. */
export function createReadiness(parts: {
  readonly database: Database;
  readonly storage: Storage;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly circuits: Pick<Circuits, 'of'>;
  readonly clock: Clock;
}): () => Promise<ReadinessReport> {
  let remembered: { at: number; report: Promise<ReadinessReport> } | null = null;
  let engines: { at: number; checks: Promise<ReadinessReport['checks']> } | null = null;
  return () => {
    const now = performance.now();
    if (remembered === null || now - remembered.at > REMEMBERED_MS) remembered = { at: now, report: examine() };
    return remembered.report;
  };

  async function examine(): Promise<ReadinessReport> {
    const required = await Promise.all([
      outcome('database', async () => {
        const { read } = parts.database;
        const row = await read.first(
          read.builder
            .selectFrom('schema_migrations')
            .select((expression) => expression.fn.max('version').as('version')),
        );
        const version = row?.version ?? 0;
        // During an upgrade the version before runs on a schema that has only grown.
        if (version < SCHEMA_VERSION) throw new Error(`schema version ${version}, expected ${SCHEMA_VERSION}`);
        return `${parts.database.kind}, schema version ${version}`;
      }),
      outcome('storage', async () => {
        await parts.storage.check();
        return 'written and read back';
      }),
    ]);
    const now = performance.now();
    if (engines === null || now - engines.at > ENGINES_REMEMBERED_MS) engines = { at: now, checks: probeEngines() };
    return { ready: required.every((check) => check.ok), checks: [...required, ...circuitsIn(await engines.checks)] };
  }

  /** What an upstream answers when it is asked how it is says little where it takes no orders. */
  function circuitsIn(checks: ReadinessReport['checks']): ReadinessReport['checks'] {
    const names = [...parts.engines.keys()];
    return checks.map((check, index) => {
      const opened = parts.circuits.of(names[index] ?? '');
      return opened === null ? check : { ...check, ok: false, detail: describeCircuit(opened, parts.clock.now()) };
    });
  }

  async function probeEngines(): Promise<ReadinessReport['checks']> {
    return await Promise.all(
      [...parts.engines.values()].map((engine) =>
        outcome(`engine ${engine.name}`, async () => {
          const probed = await engine.probe?.({ signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} });
          if (probed?.ok === false) throw new Error(probed.message);
          return probed?.message ?? 'configured';
        }),
      ),
    );
  }
}

async function outcome(name: string, examine: () => Promise<string>): Promise<ReadinessReport['checks'][number]> {
  try {
    return { name, ok: true, detail: await examine() };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
