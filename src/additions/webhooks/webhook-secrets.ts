import { world } from '@darkroom-service/contract';
import type { Act, Kernel, Session, Store, Transaction } from '../../kernel.ts';

export interface SecretOwner {
  readonly accountId: string;
  readonly mode: 'live' | 'test';
}

/** Time for which the previous secret also signs after a rotation, in milliseconds. */
const ROTATION_MS = 24 * 60 * 60 * 1000;

export interface WebhookSecret {
  /** `whsec_…` in the notation of Standard Webhooks. */
  readonly secret: string;
  readonly createdAt: number;
  /** The time at which the secret stops signing; null = it is the current one. */
  readonly validUntil: number | null;
}

/** Returns the secrets that sign now, the current one first. Empty until a secret was requested. */
async function secretsOf(session: Session, owner: SecretOwner, now: number): Promise<WebhookSecret[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('webhook_secrets')
      .selectAll()
      .where('account_id', '=', owner.accountId)
      .where('mode', '=', owner.mode)
      .where((expression) =>
        expression.or([expression('valid_until', 'is', null), expression('valid_until', '>', now)]),
      )
      .orderBy('created_at', 'desc'),
  );
  return rows.map((row) => ({ secret: row.secret, createdAt: row.created_at, validUntil: row.valid_until }));
}

/** Returns the webhook secrets of an owner. Creates the first if there is none. */
export async function ensureSecret(
  store: Pick<Store, 'read' | 'write'>,
  owner: SecretOwner,
  now: number,
): Promise<WebhookSecret[]> {
  const known = await secretsOf(store.read, owner, now);
  if (known.length > 0) return known;
  return await store.write('webhook_secret', async (trx) => {
    await trx.lock(lockOf(owner));
    const made = await secretsOf(trx, owner, now);
    return made.length > 0 ? made : [await insertSecret(trx, owner, now)];
  });
}

/** Creates a new secret. The previous one also signs for a day, so that receivers have time to change over. */
export async function rotateSecret(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  owner: SecretOwner,
): Promise<WebhookSecret[]> {
  const { now } = by;
  return await store.write('webhook_secret_rotate', async (trx) => {
    await by.binding?.within(trx, owner.accountId);
    await trx.lock(lockOf(owner));
    // A rotation during a rotation ends the older secret: at most two sign.
    await trx.run(
      trx.builder
        .deleteFrom('webhook_secrets')
        .where('account_id', '=', owner.accountId)
        .where('mode', '=', owner.mode)
        .where('valid_until', 'is not', null),
    );
    await trx.run(
      trx.builder
        .updateTable('webhook_secrets')
        .set({ valid_until: now + ROTATION_MS })
        .where('account_id', '=', owner.accountId)
        .where('mode', '=', owner.mode),
    );
    await insertSecret(trx, owner, now);
    const { accountId: target, mode } = owner;
    await accounts.record(trx, by, { act: 'webhook_secret.rotate', target, detail: { mode } });
    return await secretsOf(trx, owner, now);
  });
}

/** Removes the secrets of an account. */
export async function removeSecrets(trx: Transaction, accountId: string): Promise<void> {
  await trx.run(trx.builder.deleteFrom('webhook_secrets').where('account_id', '=', accountId));
}

async function insertSecret(trx: Transaction, owner: SecretOwner, now: number): Promise<WebhookSecret> {
  const secret = `whsec_${Buffer.from(world.randomBytes(32)).toString('base64')}`;
  await trx.run(
    trx.builder
      .insertInto('webhook_secrets')
      .values({ account_id: owner.accountId, mode: owner.mode, secret, created_at: now, valid_until: null }),
  );
  return { secret, createdAt: now, validUntil: null };
}

function lockOf({ accountId, mode }: SecretOwner): string {
  return `webhook:${mode}:${accountId}`;
}
