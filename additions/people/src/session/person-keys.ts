import { cutText, OPERATORS, world } from '@darkroom-service/contract';
import type { Kernel, Session, Transaction } from '@darkroom-service/darkroom/kernel';
import { DEFAULT_COLUMNS, hashSecret, PERSON_KEY } from '@darkroom-service/darkroom/kernel-accounts';

export type KeyMode = 'live' | 'test' | 'admin';

/** Account of operators' keys: admin keys belong to some account as well; they order nothing. */
const ACCOUNT_OF_OPERATORS = 'default';

/** The owner of a person's key. */
export interface KeyOwner {
  readonly personId: string;
  /** Account, or `OPERATORS` with the mode `admin`. */
  readonly accountId: string;
  readonly mode: KeyMode;
}

/** Returns the key of a person with the hash that signs its tokens; null = there is none yet. */
export async function findPersonKey(session: Session, { personId, accountId, mode }: KeyOwner) {
  const row = await session.first(
    session.builder
      .selectFrom('person_keys')
      .innerJoin('api_keys', 'api_keys.id', 'person_keys.key_id')
      .select(['api_keys.id', 'api_keys.hash'])
      .where('person_id', '=', personId)
      .where('person_keys.account_id', '=', accountId)
      .where('person_keys.mode', '=', mode),
  );
  return row ?? null;
}

/** Returns the key of a person, and creates it on first use. Only tokens that are signed with its hash open it. */
export async function personKey(
  { clock, store }: Pick<Kernel, 'clock' | 'store'>,
  owner: KeyOwner,
): Promise<{ readonly id: string; readonly hash: string }> {
  const known = await findPersonKey(store.read, owner);
  if (known !== null) return known;
  return await store.write('person_key', async (trx) => {
    await trx.lock(`person:${owner.personId}`);
    const meanwhile = await findPersonKey(trx, owner);
    if (meanwhile !== null) return meanwhile;
    const key = { id: store.createId(PERSON_KEY), hash: randomHash() };
    const person = await trx.first(trx.builder.selectFrom('people').select('name').where('id', '=', owner.personId));
    await trx.run(
      trx.builder.insertInto('api_keys').values({
        ...DEFAULT_COLUMNS,
        ...key,
        account_id: owner.accountId === OPERATORS ? ACCOUNT_OF_OPERATORS : owner.accountId,
        mode: owner.mode,
        name: cutText(person?.name ?? owner.personId, 100),
        previous_hash: null,
        previous_until: null,
        created_at: clock.now(),
        revoked_at: null,
      }),
    );
    await trx.run(
      trx.builder.insertInto('person_keys').values({
        key_id: key.id,
        person_id: owner.personId,
        account_id: owner.accountId,
        mode: owner.mode,
      }),
    );
    return key;
  });
}

/**
 * Ends all bearers of a person in an account; null = in all. The keys stay valid, since otherwise the account would
 * lose the files of their orders.
 */
export async function endBearers(trx: Transaction, personId: string, accountId: string | null): Promise<void> {
  let keys = trx.builder.selectFrom('person_keys').select('key_id').where('person_id', '=', personId);
  if (accountId !== null) keys = keys.where('account_id', '=', accountId);
  for (const { key_id: keyId } of await trx.all(keys))
    await trx.run(trx.builder.updateTable('api_keys').set({ hash: randomHash() }).where('id', '=', keyId));
}

/** Returns the hash of a random secret that nobody knows. */
function randomHash(): string {
  return hashSecret(Buffer.from(world.randomBytes(32)).toString('base64url'));
}
