import { hash } from 'node:crypto';
import { ServiceError } from '@darkroom-service/contract';
import type { Database, Session, Transaction } from './database.ts';

/**
 * Repeatable requests: with an `Idempotency-Key` a request that changes something is carried out once. Its repetitions
 * get the present state of the record that it created or changed.
 */

/** Lifetime of a key, in milliseconds. Keys of orders live as long as the order. */
export const DEED_LIFETIME_MS = 30 * 86_400_000;

/** An `Idempotency-Key` with the fingerprint of its request. */
export interface IdempotentRequest {
  /** The owner of the key: keys of one scope must differ. */
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** Binds the caller's key to the subject of the request. Without a key it does nothing. */
export interface Binding {
  /**
   * Binds the key in the transaction that carries out the request, before anything is written. `subject` names the
   * record that the request creates or changes; it contains nothing else of the request, and no secret.
   */
  within(trx: Transaction, subject: string): Promise<void>;
  /**
   * Binds the key before an act outside of the database, and frees it if the act fails.
   * @param after the subject once the result is known; default: it stays
   */
  around<T>(subject: string, act: () => Promise<T>, after?: (result: T) => string): Promise<T>;
}

/** The scope of all operators: admin keys and the command line share their keys. */
export const ADMIN_SCOPE = 'admin';

/** The answer of a request, and whether it repeats that of an earlier request with the same key. */
export interface Once<T> {
  readonly answer: T;
  readonly replayed: boolean;
}

/**
 * Carries out a request unless its key is known. Of simultaneous requests with one key, in any process, one is carried
 * out. A request that is refused binds nothing.
 * @param request null = the request has no key
 * @param steps.make carries out the request; must use its binding
 * @param steps.again returns the present state of the request's subject; changes nothing
 * @throws ServiceError `idempotency_key_reused`
 */
export async function doOnce<T>(
  { database, now }: { readonly database: Database; readonly now: number },
  request: IdempotentRequest | null,
  steps: { readonly make: (binding: Binding) => Promise<T>; readonly again: (subject: string) => Promise<T> },
): Promise<Once<T>> {
  if (request === null) return { answer: await steps.make(UNBOUND), replayed: false };
  let known = await findSubject(database.read, request);
  for (;;) {
    if (known !== null) return { answer: await steps.again(known), replayed: true };
    try {
      return { answer: await steps.make(bindingOf(database, request, now)), replayed: false };
    } catch (error) {
      if (!(error instanceof BoundMeanwhile)) throw error;
    }
    // Waits until the other request is on disk, or has failed.
    known = await database.write('find_deed', async (trx) => {
      await trx.lock(lockOf(request));
      return await findSubject(trx, request);
    });
  }
}

/** Thrown within a unit: another request with the same key is being carried out. */
class BoundMeanwhile extends Error {}

const UNBOUND: Binding = { within: async () => {}, around: (_subject, act) => act() };

function bindingOf(database: Database, request: IdempotentRequest, now: number): Binding {
  const within: Binding['within'] = async (trx, subject) => {
    await trx.lock(lockOf(request));
    if ((await findSubject(trx, request)) !== null) throw new BoundMeanwhile();
    const { scope, key, fingerprint } = request;
    await trx.run(
      trx.builder.insertInto('idempotency').values({
        scope,
        idempotency_key: key,
        fingerprint,
        subject_id: subject,
        expires_at: now + DEED_LIFETIME_MS,
      }),
    );
  };
  return {
    within,
    async around(subject, act, after) {
      await database.write('bind_deed', (trx) => within(trx, subject));
      let result: Awaited<ReturnType<typeof act>>;
      try {
        result = await act();
      } catch (error) {
        await database.write('free_deed', (trx) =>
          trx.run(
            trx.builder
              .deleteFrom('idempotency')
              .where('scope', '=', request.scope)
              .where('idempotency_key', '=', request.key),
          ),
        );
        throw error;
      }
      if (after !== undefined) {
        const known = after(result);
        await database.write('note_deed', (trx) =>
          trx.run(
            trx.builder
              .updateTable('idempotency')
              .set({ subject_id: known })
              .where('scope', '=', request.scope)
              .where('idempotency_key', '=', request.key),
          ),
        );
      }
      return result;
    },
  };
}

function lockOf({ scope, key }: IdempotentRequest): string {
  return `deed:${scope} ${key}`;
}

async function findSubject(session: Session, { scope, key, fingerprint }: IdempotentRequest): Promise<string | null> {
  const row = await session.first(
    session.builder
      .selectFrom('idempotency')
      .select(['fingerprint', 'subject_id'])
      .where('scope', '=', scope)
      .where('idempotency_key', '=', key),
  );
  if (row === undefined) return null;
  if (row.fingerprint === fingerprint) return row.subject_id;
  throw new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Repeat the original request to get its result, or send a new key for a new one.',
    { param: 'Idempotency-Key' },
  );
}

/** Deletes expired keys. */
export async function deleteOldRequests(database: Database, now: number): Promise<void> {
  await database.write('forget_deeds', (trx) =>
    trx.run(trx.builder.deleteFrom('idempotency').where('expires_at', '<=', now)),
  );
}

/** The scope of the hashes of Idempotency-Keys whose orders are removed. */
export const EXPIRED = 'expired';

/** Subject of an expired Idempotency-Key whose order was erased instead of removed by age. */
export const ERASED = 'erased';

/**
 * Replaces each Idempotency-Key of removed subjects by its hash, so that the key never orders again.
 * @param isErased whether they were erased, and not removed because of their age
 */
export async function expireKeys(trx: Transaction, subjects: readonly string[], isErased: boolean): Promise<void> {
  if (subjects.length === 0) return;
  const { builder } = trx;
  const keys = await trx.all(
    builder.selectFrom('idempotency').select(['scope', 'idempotency_key as key']).where('subject_id', 'in', subjects),
  );
  if (keys.length === 0) return;
  await trx.run(builder.deleteFrom('idempotency').where('subject_id', 'in', subjects));
  const rows = keys
    .map(expiredKey)
    .map(({ scope, key }) => ({ scope, idempotency_key: key, fingerprint: '', subject_id: isErased ? ERASED : '' }));
  await trx.run(builder.insertInto('idempotency').values(rows));
}

/** Returns the scope and key under which the hash of an Idempotency-Key is stored once its order is removed. */
export function expiredKey({ scope, key }: { readonly scope: string; readonly key: string }) {
  return { scope: EXPIRED, key: hash('sha256', `${scope}\n${key}`, 'base64url') };
}
