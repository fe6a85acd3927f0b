import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createKeyring } from './accounts/keyring.ts';
import { createRateLimits } from './accounts/rate-limits.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { createIdFactory } from './base/ids.ts';
import { createLog, type Log } from './base/log.ts';
import { loadCatalog } from './catalog/catalog.ts';
import { type Config, catalogDirectories } from './config.ts';
import type { CommitHook, Database } from './database/database.ts';
import { openSqlite } from './database/sqlite-database.ts';
import type { Engine } from './engines/engine.ts';
import { openEngines } from './engines/engines.ts';
import { createTaskEvents } from './events/task-events.ts';
import { startWebhookSender, type WebhookSender } from './events/webhook-sender.ts';
import { freePort } from './free-port.ts';
import { type ConsoleKeys, createConsoleSessions } from './http/console-session.ts';
import { buildMetricsServer } from './http/metrics-server.ts';
import { buildHttp } from './http/server.ts';
import { loopbackUrl } from './loopback-url.ts';
import { createReferences } from './media/references.ts';
import type { Lookup } from './net/judged-connect.ts';
import { createTrustedFetch } from './net/trusted-fetch.ts';
import { createReadiness } from './readiness.ts';
import { openFileStorage } from './storage/file-storage.ts';
import type { Storage } from './storage/storage.ts';
import type { ClaimableQueue } from './tasks/claim-tasks.ts';
import { MAX_OUTPUT_BYTES } from './tasks/collect-outputs.ts';
import type { Desk } from './tasks/desk.ts';
import { createFileSigner } from './tasks/file-signer.ts';
import { startHousekeeping } from './tasks/housekeeping.ts';
import { createModeration } from './tasks/moderation.ts';
import { createRouting } from './tasks/routing.ts';
import { type Runner, startRunner } from './tasks/runner.ts';
import { openSwitches } from './tasks/switches.ts';
import { createTaskMetrics } from './tasks/task-metrics.ts';
import { createTypicalSeconds } from './tasks/typical-seconds.ts';
import { viewForOwner } from './tasks/webhook-view.ts';
import { openTemporaryDirectory } from './temporary-directory.ts';

/** A running service. */
export interface Service {
  /** The address that it answers at, without a slash at the end. */
  readonly url: string;
  /** Reads the catalog's files anew. @throws CatalogFault, and the catalog in force stays. */
  reloadCatalog(): Promise<void>;
  /** A link that signs the console in with these keys: once, within 15 minutes, on this machine. */
  offerSignIn(keys: ConsoleKeys): string;
  /** Does at once what is due from time to time, such as erasing what has outlived its time. */
  keepHouse(): Promise<void>;
  /** Stops claiming, answers open requests, lets go of what can be resumed. `now`: waits for nothing. */
  stop(options?: { readonly now?: boolean }): Promise<void>;
}

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Named moments around commits, for tests that kill there. */
  readonly commitHook?: CommitHook;
  /** Engines besides the built-in one, for tests. */
  readonly engines?: readonly Engine[];
  /** Stands between the service and its files, for tests of a storage that fails. */
  readonly wrapStorage?: (storage: Storage) => Storage;
  /** Resolves the names that references are fetched from, for tests. */
  readonly lookup?: Lookup;
}

const MEASURE_EVERY_MS = 10 * 60 * 1000;
const OUTPUT_TIMEOUT_MS = 10 * 60 * 1000;
const ANSWER_WITHIN_MS = 5_000;
/** As `npm ci` builds it. */
const CONSOLE_DIRECTORY = join(import.meta.dirname, '..', 'console', 'dist');
const SIMULATED_AT_ONCE = 10_000;

/**
 * Opens everything, joins it, and answers requests. What is opened here is closed here, in reverse.
 * @throws ConfigFault, CatalogFault, or what a part says when it cannot be opened; what was opened by then is closed.
 */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const closers: (() => Promise<void> | void)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await open(config, options, closers, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function open(
  config: Config,
  options: ServiceOptions,
  closers: (() => Promise<void> | void)[],
  closeAll: () => Promise<void>,
): Promise<Service> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config.logLevel);
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  const temporaryDirectory = await openTemporaryDirectory(join(config.dataDirectory, 'tmp'));
  closers.push(() => rm(temporaryDirectory, { recursive: true, force: true }));
  const directories = catalogDirectories(config);
  let catalog = await loadCatalog({ directories });
  const reloadCatalog = async () => {
    catalog = await loadCatalog({ directories });
  };

  const database = await openSqlite({
    path: config.databasePath,
    clock,
    ...(options.commitHook === undefined ? {} : { commitHook: options.commitHook }),
  });
  closers.push(() => database.close());
  const files = await openFileStorage(config.filesDirectory);
  const storage = options.wrapStorage?.(files) ?? files;
  closers.push(() => storage.close());
  const trusted = createTrustedFetch({
    allowedAddresses: config.allowedAddresses,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  closers.push(() => trusted.close());
  const engines = new Map([
    ...openEngines({ only: config.engines, painters: config.painters, temporaryDirectory, clock }),
    ...(options.engines ?? []).map((engine): [string, Engine] => [engine.name, engine]),
  ]);
  closers.push(async () => {
    for (const engine of engines.values()) await engine.close?.();
  });
  const switches = await openSwitches({
    database,
    onError: (error) => log.error({ err: error }, 'pauses cannot be read; the last known hold'),
  });
  closers.push(() => switches.close());

  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const publicUrl = config.publicUrl ?? url;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const typicalSeconds = createTypicalSeconds(database);
  await typicalSeconds.refresh();
  const measuring = setInterval(
    () =>
      void typicalSeconds.refresh().catch((error: unknown) => log.error({ err: error }, 'times cannot be measured')),
    MEASURE_EVERY_MS,
  );
  closers.push(() => clearInterval(measuring));

  let runner: Runner | null = null;
  let webhooks: WebhookSender | null = null;
  const desk: Desk = {
    database,
    clock,
    createId: createIdFactory(() => clock.now()),
    catalog: () => catalog,
    routing: createRouting(engines, switches, { live: config.engines }),
    storage,
    references: createReferences({ fetch: trusted.fetch, storage, temporaryDirectory }),
    signer: createFileSigner({
      secret: await secretOf(database, 'file_signature'),
      publicUrl,
      lifetimeMs: config.urlLifetimeMs,
      now: () => clock.now(),
    }),
    events: createTaskEvents(),
    typicalSeconds,
    figures: createTaskMetrics(registry, database, () => runner?.heldTasks ?? 0),
    settings: {
      publicUrl,
      retentionMs: config.retentionMs,
      hardDeadlineMs: config.hardDeadlineMs,
      softDeadlineMs: config.softDeadlineMs,
      maxDataUriBytes: config.maxDataUriBytes,
      temporaryDirectory,
      allowedAddresses: config.allowedAddresses,
    },
    wakeRunner: () => runner?.wake(),
    cancelRequested: (taskId) => runner?.cancelRequested(taskId),
    wakeWebhooks: () => webhooks?.wake(),
    log,
  };
  const queues = queuesOf(engines);
  runner = startRunner(
    {
      desk,
      worker: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
      engines,
      moderation:
        config.moderation === null ? null : createModeration({ ...config.moderation, fetch: trusted.fetch, log }),
      fetchOutput: async (address, { headers, signal }) =>
        (
          await trusted.fetch(address, {
            headers,
            signal,
            maxBytes: MAX_OUTPUT_BYTES,
            timeoutMs: OUTPUT_TIMEOUT_MS,
            maxRedirects: 5,
          })
        ).body,
    },
    () => queues.filter((queue) => !switches.isPaused('engine', queue.engine)),
  );
  let drainMs = config.drainMs;
  let runnerStopped: Promise<void> | undefined;
  const stopRunner = () => {
    runnerStopped ??= runner?.stop({ drainMs });
    return runnerStopped;
  };
  closers.push(stopRunner);
  webhooks = startWebhookSender({
    database,
    clock,
    createId: desk.createId,
    fetch: trusted.fetch,
    log,
    view: (delivery) => viewForOwner(desk, delivery),
  });
  closers.push(() => webhooks?.stop());
  const housekeeping = startHousekeeping(desk);
  closers.push(() => housekeeping.stop());

  let stopping = false;
  const consoleSessions = createConsoleSessions({ now: () => clock.now() });
  const http = await buildHttp({
    desk,
    keyring: createKeyring({ database, clock }),
    rateLimits: createRateLimits({ now: () => clock.now() }),
    switches,
    publicUrl,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    maxBodyBytes: config.maxBodyBytes,
    maxUploadBytes: config.maxUploadBytes,
    hideUnavailable: config.catalogUnavailable === 'hide',
    engineNames: [...engines.keys()],
    reloadCatalog,
    consoleDirectory: CONSOLE_DIRECTORY,
    consoleSessions,
    readiness: createReadiness({ database, storage, engines }),
    metrics: registry,
    log,
    isStopping: () => stopping,
  });
  // Both at once: no task is claimed any more while open requests are answered.
  closers.push(
    async () => void (await Promise.all([closeHttp(http, Math.min(drainMs, ANSWER_WITHIN_MS)), stopRunner()])),
  );
  await http.listen({ host: config.host, port });
  if (config.metricsPort !== null) {
    const figures = buildMetricsServer({ metrics: registry });
    closers.push(() => figures.close());
    await figures.listen({ host: config.host, port: config.metricsPort });
  }
  let stopped: Promise<void> | null = null;
  return {
    url,
    reloadCatalog,
    offerSignIn: (keys) => `${loopbackUrl(config.host, port)}/#/sign-in/${consoleSessions.offer(keys)}`,
    keepHouse: () => housekeeping.runOnce(),
    async stop({ now = false } = {}) {
      stopping = true;
      if (now) drainMs = 0;
      stopped ??= closeAll();
      await stopped;
    },
  };
}

function queuesOf(engines: ReadonlyMap<string, Engine>): (ClaimableQueue & { engine: string })[] {
  return [...engines.values()].flatMap(({ name, concurrency }) => [
    { engine: name, name: `${name}:live`, capacity: concurrency },
    { engine: name, name: `${name}:test`, capacity: concurrency },
    { engine: name, name: `${name}:simulated`, capacity: SIMULATED_AT_ONCE },
  ]);
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

/** Answers what has been asked; connections that are still open after that time, such as a stalled download, are cut. */
async function closeHttp(http: FastifyInstance, withinMs: number): Promise<void> {
  const cut = setTimeout(() => http.server.closeAllConnections(), withinMs);
  await http.close().finally(() => clearTimeout(cut));
}
