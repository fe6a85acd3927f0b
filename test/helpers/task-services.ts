import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Clock, createIdFactory } from '@darkroom-service/contract';
import { openStorage } from '@darkroom-service/files';
import { createMediaTools, createReferences, createTrustedFetch } from '@darkroom-service/media';
import { pino } from 'pino';
import type { ApiKey, OrderingKey } from '../../src/accounts/api-key.ts';
import { Budgets } from '../../src/accounts/budgets.ts';
import { createEntryIds } from '../../src/accounts/entry-ids.ts';
import { RecentBalances } from '../../src/accounts/recent-balances.ts';
import { ADDITIONS } from '../../src/additions/list.ts';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { NO_TERMS } from '../../src/catalog/pricing/terms.ts';
import type { Database } from '../../src/database/database.ts';
import { WaitingCounts } from '../../src/queue/waiting-counts.ts';
import { assignBits } from '../../src/service/assignments.ts';
import { TaskEvents } from '../../src/tasks/events/task-events.ts';
import { createFileSigner } from '../../src/tasks/file-signer.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { createThumbnails } from '../../src/tasks/thumbnails.ts';
import { NO_TRACER } from '../../src/tasks/tracer.ts';
import { openTestDatabase, type TestDatabase } from './databases.ts';
import { loadConfig } from './load-config.ts';

/** A clock that only moves when told to. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 10, 20, 12);
  now(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
  }
}

const SKETCH_ROUTE = { engine: 'sketch', model: null, parameters: null, fixed: {} };

/** The services of tasks over a fresh database, without runner or HTTP: for properties of the operations themselves. */
export async function openTestServices(
  t: Pick<TestContext, 'after'>,
  kind: Database['kind'] = 'sqlite',
): Promise<{
  readonly services: TaskServices;
  readonly clock: ManualClock;
  readonly database: Database;
  /** Where the database lies. */
  readonly address: TestDatabase['address'];
  /** The services of one more process on the same data. */
  readonly openAnother: () => Promise<TaskServices>;
}> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-services-'));
  const temporaryDirectory = join(directory, 'tmp');
  await mkdir(temporaryDirectory);
  const clock = new ManualClock();
  const { database, address, openAnother } = await openTestDatabase(t, kind, { clock });
  const storage = await openStorage({ url: null, directory: join(directory, 'files') });
  const media = createMediaTools();
  const trusted = createTrustedFetch({ allowedAddresses: [] });
  const catalog = await loadCatalog({ directories: [join(import.meta.dirname, '..', '..', 'catalog')] });
  t.after(async () => {
    await media.close();
    await trusted.close();
    await storage.close();
    await rm(directory, { recursive: true });
  });
  const publicUrl = 'http://darkroom.test';
  const services: TaskServices = {
    database,
    clock,
    createId: createIdFactory(() => clock.now()),
    catalog: () => catalog,
    routing: {
      route: () => SKETCH_ROUTE,
      routeFor: () => ({ route: SKETCH_ROUTE, faults: [], isBelowCost: false }),
      nextRoute: () => null,
      standing: () => 'ready',
      isGone: () => false,
      endOf: () => null,
      hasEnded: () => false,
      lacksParts: () => false,
      usesOwnKey: () => false,
      secondsToTrial: () => 0,
      floor: () => null,
      isPaused: () => false,
      kindOf: (engine) => engine,
      obstacleOf: () => null,
      canCancel: () => true,
      ruleOf: () => null,
      exclusionOf: () => null,
      upstreamsOf: () => [],
      refreshRules: async () => {},
    },
    budgets: new Budgets({ limits: loadConfig({}).budgets, endUserPercent: 10, now: () => clock.now() }),
    queueDepths: new WaitingCounts(clock),
    balances: new RecentBalances(),
    storage,
    media,
    references: createReferences({ fetch: trusted.fetch, storage, media, temporaryDirectory }),
    thumbnails: { make: (key) => thumbnails.make(key), prove: (output) => thumbnails.prove(output) },
    signer: createFileSigner({
      secrets: () => ({ signing: 'test', accepted: ['test'] }),
      publicUrl,
      filesUrl: publicUrl,
      hasEdge: false,
      lifetimeMs: 86_400_000,
      now: () => clock.now(),
    }),
    entryIds: createEntryIds('test'),
    events: new TaskEvents(database),
    typicalSeconds: { of: () => null },
    readDeliverTo: null,
    fields: new Map(),
    hooks: ADDITIONS.flatMap(({ hooks }) => hooks ?? []),
    parentGate: ADDITIONS.flatMap(({ parentGate }) => parentGate ?? [])[0] ?? null,
    ...(await assignBits(database, ADDITIONS)),
    obstacles: {
      isSuspended: () => false,
      heldSince: () => null,
      copiedAt: () => null,
      storageAwaySince: () => null,
      isSpoolAway: () => false,
      hasNoWorker: () => false,
    },
    tracer: NO_TRACER,
    figures: {
      settled: () => {},
      began: () => {},
      orderCost: () => {},
      engineFault: () => {},
      upstreamCall: () => {},
      notAsOrdered: () => {},
      wentOn: () => {},
      tookOver: () => {},
    },
    settings: {
      publicUrl,
      knownUrl: publicUrl,
      cdn: null,
      retentionMs: 30 * 86_400_000,
      taskMs: null,
      auditMs: 400 * 86_400_000,
      hardDeadlineMs: 6 * 3_600_000,
      softDeadlineMs: 600_000,
      routePatienceMs: 45_000,
      upstreamWaitMs: 1_800_000,
      instanceFee: { amount: 0, share: '0' },
      vault: null,
      terms: NO_TERMS,
      switches: {},
      liveEngines: null,
      maxDataUriBytes: 20_000_000,
      storageLimits: { key: null, endUser: null },
      temporaryDirectory,
      sources: new Set(ADDITIONS.flatMap(({ sources }) => sources ?? [])),
      allowedAddresses: [],
      showsEvents: true,
      webhookAddresses: [],
    },
    immediateStart: () => null,
    wakeRunner: () => {},
    wakeWork: () => {},
    cancelRequested: () => {},
    calledBack: () => false,
    announceCall: () => {},
    roomLeft: () => {},
    log: pino({ level: 'silent' }),
  };
  const thumbnails = createThumbnails(services);
  return {
    services,
    clock,
    database,
    address,
    openAnother: async () => {
      const another = await openAnother({ clock });
      return { ...services, database: another, events: new TaskEvents(another) };
    },
  };
}

/** An account with one key, entered straight into the database. */
export async function insertKey(
  services: TaskServices,
  wish: Partial<ApiKey> & { readonly creditLimit?: number | null } = {},
): Promise<OrderingKey> {
  const { creditLimit = null, ...changes } = wish;
  const account = {
    id: services.createId('acc'),
    name: 'test',
    creditLimit,
    priceRules: [],
    hiddenModels: [],
    webhookUrl: null,
    deliverTo: null,
  };
  const key = {
    id: services.createId('key'),
    mode: 'live',
    name: 'test',
    expiresAt: null,
    models: [],
    createsPerMinute: 0,
    readsPerMinute: 0,
    concurrency: 0,
    queueLimit: 0,
    spendLimits: { day: null, month: null, total: null },
    endUserLimits: { day: null, month: null, total: null },
    timezone: 'UTC',
    limitsEndUsers: false,
    accountView: false,
    account,
    ...changes,
  } as OrderingKey;
  await services.database.write('test_key', async (trx) => {
    await trx.run(
      trx.builder.insertInto('accounts').values({
        id: account.id,
        name: account.name,
        created_at: 0,
        credit_limit: creditLimit,
        price_rules_json: '[]',
        hidden_models_json: '[]',
        webhook_url: null,
      }),
    );
    await trx.run(
      trx.builder.insertInto('api_keys').values({
        id: key.id,
        account_id: account.id,
        mode: key.mode,
        name: key.name,
        hash: key.id,
        previous_hash: null,
        previous_until: null,
        created_at: 0,
        expires_at: null,
        revoked_at: null,
        models_json: '[]',
        rpm: 0,
        read_rpm: 0,
        concurrency: key.concurrency,
        queue_limit: key.queueLimit,
        spend_day: key.spendLimits.day,
        spend_month: key.spendLimits.month,
        spend_total: key.spendLimits.total,
        timezone: key.timezone === 'UTC' ? null : key.timezone,
        account_view: 0,
      }),
    );
  });
  return key;
}
