import { timeIdPrefix } from '@darkroom-service/contract';
import type { Session, Store } from '@darkroom-service/darkroom/kernel';

const KEPT_MS = 7 * 24 * 60 * 60_000;
/** Number of a key's latest requests that the log keeps. */
export const KEPT_OF_KEY = 2_000;
const ERASED_TOGETHER = 500;
const READ_TOGETHER = 10_000;
/** Maximum delay with which a process that could not reach the database writes its requests. */
const LATE_MS = 15 * 60_000;

/**
 * Deletes requests that are older than a week, and all but the latest of each key that has sent any since an earlier
 * trim, in portions.
 * @param since the result of an earlier trim; 0 = all keys
 * @param signal stops it between two portions
 */
export async function trimRequests(
  store: Pick<Store, 'erase' | 'reports'>,
  { now, since, signal }: { readonly now: number; readonly since: number; readonly signal: AbortSignal },
): Promise<number> {
  const portions = { unit: 'trim_requests', signal };
  await store.erase(portions, (trx) =>
    trx.run(
      trx.builder.deleteFrom('request_log').where('id', 'in', (expression) =>
        expression
          .selectFrom('request_log')
          .select('id')
          .where('id', '<', timeIdPrefix('rql', now - KEPT_MS))
          .orderBy('id')
          .limit(ERASED_TOGETHER),
      ),
    ),
  );
  for (const keyId of await keysSince(store.reports, since)) {
    await store.erase(portions, (trx) =>
      trx.run(
        trx.builder
          .deleteFrom('request_log')
          .where('id', 'in', (expression) =>
            expression
              .selectFrom('request_log')
              .select('id')
              .where('api_key_id', '=', keyId)
              .orderBy('id', 'desc')
              .limit(ERASED_TOGETHER)
              .offset(KEPT_OF_KEY),
          ),
      ),
    );
  }
  return signal.aborted ? since : now - LATE_MS;
}

async function keysSince(session: Session, since: number): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  let after: string | undefined = timeIdPrefix('rql', since);
  while (after !== undefined) {
    const found = await readNextKeys(session, after);
    for (const { api_key_id: key } of found) keys.add(key);
    after = found
      .map(({ last }) => last)
      .sort()
      .at(-1);
  }
  return keys;
}

/** Reads the keys of the next requests, and the last request of each. */
async function readNextKeys(
  session: Session,
  after: string,
): Promise<{ readonly api_key_id: string; readonly last: string }[]> {
  const next = session.builder
    .selectFrom('request_log')
    .select(['id', 'api_key_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(READ_TOGETHER);
  return await session.all(
    session.builder
      .selectFrom(next.as('next'))
      .select(['api_key_id', ({ fn }) => fn.max<string>('id').as('last')])
      .groupBy('api_key_id'),
  );
}
