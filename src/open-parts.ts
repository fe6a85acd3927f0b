import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Clock, isoTime, systemClock } from './base/clock.ts';
import { createIdFactory } from './base/ids.ts';
import { createLog, type Log } from './base/log.ts';
import { loadCatalog } from './catalog/catalog.ts';
import { type Config, catalogDirectories } from './config.ts';
import type { CommitHook, Database } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import type { Engine } from './engines/engine.ts';
import { openEngines } from './engines/engines.ts';
import { type RunnerSignals, relayToRunners } from './events/runner-relay.ts';
import { createTaskEvents } from './events/task-events.ts';
import type { WebhookSender } from './events/webhook-sender.ts';
import { createReferences } from './media/references.ts';
import type { Lookup } from './net/judged-connect.ts';
import { createTrustedFetch, type TrustedFetch } from './net/trusted-fetch.ts';
import { openStorage } from './storage/open-storage.ts';
import type { Storage } from './storage/storage.ts';
import { isOutage, whatHelps } from './tasks/circuit.ts';
import { type Circuits, openCircuits } from './tasks/circuits.ts';
import type { Lease } from './tasks/claim-tasks.ts';
import type { Desk } from './tasks/desk.ts';
import { createFileSigner } from './tasks/file-signer.ts';
import { createRouting } from './tasks/routing.ts';
import type { Runner } from './tasks/runner.ts';
import { openSwitches, type Switches } from './tasks/switches.ts';
import { createTaskMetrics } from './tasks/task-metrics.ts';
import { createTypicalSeconds } from './tasks/typical-seconds.ts';
import { openTemporaryDirectory } from './temporary-directory.ts';

/** What tests may put in place of the real thing. */
export interface ServiceOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Named moments around commits. */
  readonly commitHook?: CommitHook;
  /** Engines besides the built-in one. */
  readonly engines?: readonly Engine[];
  /** Stands between the service and its files. */
  readonly wrapStorage?: (storage: Storage) => Storage;
  /** Stands between the service and what it knows of its upstreams. */
  readonly wrapCircuits?: (circuits: Circuits) => Circuits;
  /** Resolves the names that references are fetched from. */
  readonly lookup?: Lookup;
  readonly tempo?: Tempo;
}

/** Times that a test cannot wait for. */
export interface Tempo {
  /** How long claims of tasks hold. */
  readonly lease?: Lease;
  /** The same for claims of webhook deliveries. */
  readonly deliveryLeaseMs?: number;
  /** From one attempt of a delivery to the next. */
  readonly deliveryPausesMs?: readonly number[];
}

/** What every role of the service stands on. */
export interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly storage: Storage;
  readonly fetch: TrustedFetch;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly switches: Switches;
  readonly circuits: Circuits;
  readonly registry: Registry;
  readonly desk: Desk;
  readonly reloadCatalog: () => Promise<void>;
  readonly tempo: Tempo;
  /** Filled in by the role that works; the other one signals to whoever does. */
  readonly working: { runner: Runner | null; webhooks: WebhookSender | null };
}

const MEASURE_EVERY_MS = 10 * 60 * 1000;

/**
 * Opens what every role needs. Whatever is opened here has its closer in the list.
 * @param publicUrl what every link begins with, without a slash at the end.
 */
export async function openParts(
  config: Config,
  options: ServiceOptions,
  publicUrl: string,
  closers: AsyncDisposableStack,
): Promise<Parts> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config.logLevel);
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  const temporaryDirectory = await openTemporaryDirectory(join(config.dataDirectory, 'tmp'));
  closers.defer(() => rm(temporaryDirectory, { recursive: true, force: true }));
  const directories = catalogDirectories(config);
  let catalog = await loadCatalog({ directories });

  const database = await openDatabase({
    url: config.databaseUrl,
    path: config.databasePath,
    clock: options.clock,
    commitHook: options.commitHook,
    onFault: (error, what) => log.warn({ err: error }, what),
  });
  closers.defer(() => database.close());
  const opened = await openStorage({ url: config.storageUrl, directory: config.filesDirectory, s3: config.s3 });
  const storage = options.wrapStorage?.(opened) ?? opened;
  closers.defer(() => storage.close());
  const trusted = createTrustedFetch({
    allowedAddresses: config.allowedAddresses,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  closers.defer(() => trusted.close());
  const engines = new Map([
    ...openEngines({
      only: config.engines,
      painters: config.painters,
      temporaryDirectory,
      clock,
      log,
      fetch: trusted.fetch,
      upstreams: config.upstreams,
    }),
    ...(options.engines ?? []).map((engine): [string, Engine] => [engine.name, engine]),
  ]);
  for (const engine of engines.values()) closers.defer(() => engine.close?.());
  const switches = await openSwitches({
    database,
    onError: (error) => log.error({ err: error }, 'pauses cannot be read; the last known hold'),
  });
  closers.defer(() => switches.close());
  const working: Parts['working'] = { runner: null, webhooks: null };
  const shared = await openCircuits({
    database,
    clock,
    onChange: (engine, opened) => {
      if (opened === null) {
        log.info({ engine }, `the circuit of ${engine} is closed: it gets orders again`);
        working.runner?.wake();
      } else {
        const { fault, message } = opened;
        const help = whatHelps(fault);
        const until = `${isoTime(opened.retry_at)}${help === null ? '' : `: ${help}`}`;
        const level = isOutage(opened) ? 'warn' : 'info';
        log[level]({ engine, fault, reason: message }, `the circuit of ${engine} is open until ${until}`);
      }
    },
    onError: (error) => log.error({ err: error }, 'circuits cannot be read or written; the last known hold'),
  });
  closers.defer(() => shared.stop());
  const circuits = options.wrapCircuits?.(shared) ?? shared;

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const typicalSeconds = createTypicalSeconds(database);
  await typicalSeconds.refresh();
  const measure = () =>
    void typicalSeconds.refresh().catch((error: unknown) => log.error({ err: error }, 'times cannot be measured'));
  const measuring = setInterval(measure, MEASURE_EVERY_MS);
  closers.defer(() => clearInterval(measuring));

  const signals: RunnerSignals = relayToRunners(database, () => working.runner);
  const desk: Desk = {
    database,
    clock,
    createId: createIdFactory(() => clock.now()),
    catalog: () => catalog,
    routing: createRouting(engines, switches, circuits, { live: config.engines, now: () => clock.now() }),
    storage,
    references: createReferences({ fetch: trusted.fetch, storage, temporaryDirectory }),
    signer: createFileSigner({
      secret: await secretOf(database, 'file_signature'),
      publicUrl,
      lifetimeMs: config.urlLifetimeMs,
      now: () => clock.now(),
    }),
    events: createTaskEvents(database),
    typicalSeconds,
    figures: createTaskMetrics(
      registry,
      database,
      () => working.runner?.heldTasks ?? 0,
      () => new Map([...engines.keys()].map((name) => [name, circuits.stateOf(name)])),
    ),
    settings: {
      publicUrl,
      retentionMs: config.retentionMs,
      hardDeadlineMs: config.hardDeadlineMs,
      softDeadlineMs: config.softDeadlineMs,
      maxDataUriBytes: config.maxDataUriBytes,
      temporaryDirectory,
      allowedAddresses: config.allowedAddresses,
    },
    wakeRunner: () => signals.wake(),
    cancelRequested: (taskId) => signals.cancelRequested(taskId),
    wakeWebhooks: () => working.webhooks?.wake(),
    log,
  };
  const reloadCatalog = async () => {
    catalog = await loadCatalog({ directories });
  };
  return {
    clock,
    log,
    database,
    storage,
    fetch: trusted.fetch,
    engines,
    switches,
    circuits,
    registry,
    desk,
    reloadCatalog,
    tempo: options.tempo ?? {},
    working,
  };
}

/** A secret of the installation, made by whoever needs it first. */
async function secretOf(database: Database, name: string): Promise<string> {
  return await database.write('secret', async (trx) => {
    const value = randomBytes(32).toString('base64url');
    await trx.run(
      trx.builder
        .insertInto('secrets')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    );
    const row = await trx.first(trx.builder.selectFrom('secrets').select('value').where('name', '=', name));
    return row?.value ?? value;
  });
}
