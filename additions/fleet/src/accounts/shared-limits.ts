import { world } from '@darkroom-service/contract';
import type { Addition } from '@darkroom-service/darkroom/kernel';
import { liveQueueOf } from '@darkroom-service/darkroom/kernel-views';
import type { Engine } from '@darkroom-service/engines';
import { sql } from 'kysely';
import type { SharedAccount } from './divide-account.ts';
import { SHARE_TIMES } from './next-share.ts';
import { createShareKeeper } from './share-keeper.ts';
import { createShareStore } from './share-store.ts';
import { upstreamAccounts } from './upstream-accounts.ts';

type ShareLimits = NonNullable<Addition['shareLimits']>;
type EngineLimits = Parameters<ShareLimits>[0];
type Sharing = Parameters<ShareLimits>[1];

const LOOK_EVERY_MS = 1_000;
/** Time after which an expired permit is removed: its process has ended, or will find that it is gone. */
const EXPIRED_MS = 5_000;

/**
 * Opens the limits of engines whose upstream account all cells share. Engines without a key keep their own limits.
 * @param own the limits of this installation
 */
export async function openSharedLimits(
  own: EngineLimits,
  {
    config,
    database,
    engines,
    log,
    startRefresh,
    tempo,
    answers,
    countOrders,
    partsUrl,
  }: Sharing & { readonly partsUrl: string },
  closers: AsyncDisposableStack,
): Promise<EngineLimits> {
  const { read } = database;
  const installation = await read.first(read.builder.selectFrom('installation').select('id'));
  if (installation === undefined) throw new Error('the database has no row of its installation');
  const ids = upstreamAccounts(config);
  const isShared = (name: string) => ids.has(name) && engines.has(name);
  const store = await createShareStore(partsUrl);
  closers.defer(() => store.close());
  const accountOf = (engine: Engine): SharedAccount => {
    const { name, adapts, instance, checksPerMinute } = engine;
    const perMinute = { creates: instance?.submissionsPerMinute, reads: checksPerMinute };
    return {
      id: ids.get(name) ?? name,
      limit: answers.boundedLimit(engine),
      perMinute: Object.fromEntries(Object.entries(perMinute).filter((entry): entry is [string, number] => !!entry[1])),
      count: (most) => count(liveQueueOf(name), most),
      ...(adapts !== undefined && {
        clamp: (limit) => answers.boundedLimit(engine, limit),
        adapt: (limit, isFull) => answers.nextLimit(engine, limit, isFull),
        onAdapted({ from, to }) {
          answers.forget(engine);
          log.info({ engine: name, from, to }, 'engine limit changed, of all cells together');
        },
      }),
    };
  };
  /** Counts the orders in progress, including those that a process may claim by now, and those that wait. */
  const count = async (queue: string, most: number) => {
    // First: meanwhile a permit may become orders, which are then counted twice rather than not at all.
    const permitted = await countPermitted(database, queue);
    const { taken, waiting } = await countOrders(queue, most);
    return { used: taken + permitted, wanted: taken + waiting };
  };
  const keeper = createShareKeeper({
    cell: installation.id,
    store,
    accounts: () => [...engines.values()].filter(({ name }) => isShared(name)).map(accountOf),
    times: { ...SHARE_TIMES, ...tempo.parts },
    submits: config.role !== 'api',
    steady: () => world.monotonic(),
    wall: () => world.now(),
  });
  // Orders are accepted and wait while the shared database is unavailable, but it must not refuse this service.
  let isUp = await store.prepare();
  if (!isUp)
    log.error('cannot reach the database of DARKROOM_PARTS_URL; no orders are submitted to shared accounts yet');
  const refreshing = await startRefresh('upstream_parts', LOOK_EVERY_MS, async () => {
    if (isUp) await keeper.refresh();
    isUp = true;
  });
  closers.defer(() => refreshing.stop());
  return {
    of: (engine) => (isShared(engine.name) ? keeper.shareOf(ids.get(engine.name)!) : own.of(engine)),
    perMinuteOf: (name, kind, limit) => (isShared(name) ? keeper.shareOf(ids.get(name)!, kind) : limit),
    refused: (engine) => (isShared(engine.name) ? answers : own).refused(engine),
    succeeded: (engine) => (isShared(engine.name) ? answers : own).succeeded(engine),
    async refresh() {
      await Promise.all([own.refresh(), refreshing.now()]);
    },
    async stop() {
      await Promise.all([own.stop(), refreshing.stop()]);
    },
  };
}

/**
 * Counts the permitted orders. A permit counts until it is removed, since a process that was paused may still use it.
 */
async function countPermitted({ read, writeAside }: Sharing['database'], queue: string): Promise<number> {
  const isExpired = sql<boolean>`until < ${read.now} - ${sql.lit(EXPIRED_MS)}`;
  const permits = await read.all(
    read.builder
      .selectFrom('claim_permits')
      .select(['orders', isExpired.as('is_expired')])
      .where('queue', '=', queue),
  );
  if (permits.some(({ is_expired }) => is_expired))
    await writeAside('expired_permits', async (trx) => {
      await trx.run(trx.builder.deleteFrom('claim_permits').where('queue', '=', queue).where(isExpired));
    });
  return permits.reduce((sum, { orders }) => sum + orders, 0);
}
