import { randomBytes } from 'node:crypto';
import type { Database, Session, Transaction } from '../database/database.ts';

/** How long the secret before a rotation goes on to sign beside the new one. */
const ROTATION_MS = 24 * 60 * 60 * 1000;

export interface WebhookSecret {
  /** `whsec_…` as Standard Webhooks writes it. */
  readonly secret: string;
  readonly createdAt: number;
  /** Null = the one in force; else when it stops signing. */
  readonly validUntil: number | null;
}

/** The account's secrets that sign now, the one in force first. Empty until one was asked for. */
export async function secretsOf(session: Session, accountId: string, now: number): Promise<WebhookSecret[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('webhook_secrets')
      .selectAll()
      .where('account_id', '=', accountId)
      .where((expression) =>
        expression.or([expression('valid_until', 'is', null), expression('valid_until', '>', now)]),
      )
      .orderBy('created_at', 'desc'),
  );
  return rows.map((row) => ({ secret: row.secret, createdAt: row.created_at, validUntil: row.valid_until }));
}

/** The secrets as `secretsOf`, after making the first one where there is none. */
export async function ensureSecret(database: Database, accountId: string, now: number): Promise<WebhookSecret[]> {
  const known = await secretsOf(database.read, accountId, now);
  if (known.length > 0) return known;
  return await database.write('webhook_secret', async (trx) => {
    await trx.lock(`webhook:${accountId}`);
    const made = await secretsOf(trx, accountId, now);
    return made.length > 0 ? made : [await insertSecret(trx, accountId, now)];
  });
}

/** Puts a new secret in force; the one before it signs along for a day, so that receivers can change over at their ease. */
export async function rotateSecret(database: Database, accountId: string, now: number): Promise<WebhookSecret[]> {
  return await database.write('webhook_secret_rotate', async (trx) => {
    await trx.lock(`webhook:${accountId}`);
    // A rotation within a rotation ends the older secret: two sign at the most.
    await trx.run(
      trx.builder
        .deleteFrom('webhook_secrets')
        .where('account_id', '=', accountId)
        .where('valid_until', 'is not', null),
    );
    await trx.run(
      trx.builder
        .updateTable('webhook_secrets')
        .set({ valid_until: now + ROTATION_MS })
        .where('account_id', '=', accountId),
    );
    await insertSecret(trx, accountId, now);
    return await secretsOf(trx, accountId, now);
  });
}

async function insertSecret(trx: Transaction, accountId: string, now: number): Promise<WebhookSecret> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await trx.run(
    trx.builder
      .insertInto('webhook_secrets')
      .values({ account_id: accountId, secret, created_at: now, valid_until: null }),
  );
  return { secret, createdAt: now, validUntil: null };
}
