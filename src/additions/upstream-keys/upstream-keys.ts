import { sealAgain } from '@darkroom-service/addition-common/seal-again';
import type { Addition, Check, Kernel, Question, Session, Transaction } from '../../kernel.ts';
import type { KeyedKinds } from './open-instances.ts';
import { eraseRemovedKeys, keyedEnginesInUse, listSealed, subjectOf } from './stored-keys.ts';
import { UPSTREAM_KEY_TABLES } from './upstream-key-tables.ts';

const EVERY_MS = 60_000;

/** Keys of accounts at upstreams of their own. Orders go there with such a key and cost a fee. */
export const UPSTREAM_KEYS = upstreamKeysWith();

/** Creates the addition of upstream keys. @param kinds instead of the engines at the vendors' own addresses */
export function upstreamKeysWith(kinds?: KeyedKinds): Addition {
  return {
    name: 'upstream-keys',
    tables: UPSTREAM_KEY_TABLES,
    chores: createChores,
    hooks: { accountErased: removeKeysOf },
    findOpenWork: findKeysInForce,
    async routes(parts, closers) {
      const { openInstances } = await import('./open-instances.ts');
      return { instances: await openInstances(parts, kinds, closers) };
    },
    open: () => ({
      async http(kernel) {
        const [{ upstreamKeyRoutes }, { UPSTREAM_KEY_OPERATIONS }] = await Promise.all([
          import('./upstream-key-routes.ts'),
          import('./upstream-key-operations.ts'),
        ]);
        return {
          v1: (v1) => upstreamKeyRoutes(v1, kernel),
          operations: UPSTREAM_KEY_OPERATIONS,
          behind: ['/v1/client_tokens'],
        };
      },
    }),
    checks: [{ name: 'upstream keys of customers', run: checkSealed }],
  };
}

async function checkSealed({ config, read }: Question): Promise<readonly Check[]> {
  const sealed = read === null ? [] : await listSealed(read);
  if (sealed.length === 0) return [];
  const { diagnoseUpstreamKeys } = await import('./diagnose-upstream-keys.ts');
  return [diagnoseUpstreamKeys(config, sealed)];
}

/** Removes the keys of an account. A chore erases the secrets of removed keys. */
async function removeKeysOf(trx: Transaction, accountId: string, now: number): Promise<void> {
  await trx.run(
    trx.builder
      .updateTable('upstream_keys')
      .set({ removed_at: now })
      .where('account_id', '=', accountId)
      .where('removed_at', 'is', null),
  );
}

function createChores({ clock, store, log, settings: { vault } }: Kernel) {
  async function tidy(): Promise<void> {
    await eraseRemovedKeys(store, clock.now());
    if (vault === null) return;
    const keys = await sealAgain(store, vault, 'upstream_keys', subjectOf);
    if (keys > 0) log.info({ keys }, "upstream keys sealed again with the operator's new key");
  }
  return [{ name: 'upstream keys', everyMs: EVERY_MS, run: tidy }];
}

/** Finds a key in force: without the addition, orders of an account with a key would go to the operator's engines. */
async function findKeysInForce(session: Session): Promise<string | null> {
  const inForce = await session.first(
    session.builder.selectFrom('upstream_keys').select('account_id').where('removed_at', 'is', null).limit(1),
  );
  if (inForce !== undefined)
    return `the account '${inForce.account_id}' has an upstream key. Remove the keys of all accounts first.`;
  const [name] = await keyedEnginesInUse(session);
  return name === undefined ? null : `there are open orders at '${name}'.`;
}
