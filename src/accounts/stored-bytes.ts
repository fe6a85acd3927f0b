import { ServiceError } from '../base/errors.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';

/**
 * Tracks how many bytes of input each API key has stored: uploads, files of data URIs and fetched references. The sum
 * is updated in the transaction that enters or erases a file. Outputs do not count: what was paid for is always stored.
 */

const select = prepare<{ key: string }, { bytes: number }>('stored_bytes', (builder, argument) =>
  builder.selectFrom('stored_bytes').select('bytes').where('api_key_id', '=', argument('key')),
);

const add = prepare<{ key: string; bytes: number }, unknown>('stored_bytes_add', (builder, argument) =>
  builder
    .insertInto('stored_bytes')
    .values({ api_key_id: argument('key'), bytes: argument('bytes') })
    .onConflict((conflict) =>
      conflict.column('api_key_id').doUpdateSet((expression) => ({
        bytes: expression('stored_bytes.bytes', '+', expression.ref('excluded.bytes')),
      })),
    ),
);

const set = prepare<{ key: string; bytes: number }, unknown>('stored_bytes_set', (builder, argument) =>
  builder
    .updateTable('stored_bytes')
    .set({ bytes: argument('bytes') })
    .where('api_key_id', '=', argument('key')),
);

const sumOfFiles = prepare<{ key: string }, { bytes: number | null }>('stored_bytes_files', (builder, argument) =>
  builder
    .selectFrom('files')
    .select((expression) => expression.fn.sum<number | null>('bytes').as('bytes'))
    .where('api_key_id', '=', argument('key'))
    .where('erased_at', 'is', null),
);

const sumOfInputs = prepare<{ key: string }, { bytes: number | null }>('stored_bytes_inputs', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.sum<number | null>('input_bytes').as('bytes'))
    .where('api_key_id', '=', argument('key'))
    .where('input_bytes', 'is not', null)
    .where('erased_at', 'is', null),
);

export async function storedBytesOf(session: Session, keyId: string): Promise<number> {
  return (await session.first(select, { key: keyId }))?.bytes ?? 0;
}

/**
 * Refuses if the key has no room for more. Outside a transaction this is only a first check; the exact count follows
 * when storing.
 * @param bytes as far as known; at least 1.
 * @param limit bytes; null = no limit.
 * @throws ServiceError `storage_limit_reached`
 */
export async function assertRoomToStore(
  session: Session,
  keyId: string,
  bytes: number,
  limit: number | null,
): Promise<void> {
  if (limit === null) return;
  const stored = await storedBytesOf(session, keyId);
  if (stored + bytes <= limit) return;
  throw new ServiceError(
    'storage_limit_reached',
    `The input files of this API key use ${stored} of ${limit} bytes; ${bytes} more bytes do not fit. Delete files or finished tasks, or wait until they expire.`,
    { details: [{ stored_bytes: stored, limit_bytes: limit, needed_bytes: bytes }] },
  );
}

/** Counts bytes that are entered in this transaction. @throws ServiceError `storage_limit_reached` */
export async function countStored(trx: Transaction, keyId: string, bytes: number, limit: number | null): Promise<void> {
  await lockStored(trx, keyId);
  await assertRoomToStore(trx, keyId, bytes, limit);
  trx.send(add, { key: keyId, bytes });
}

/**
 * Counts bytes that are erased in this transaction. The caller must have called `lockStored` before its first write.
 */
export function countErased(trx: Transaction, keyId: string, bytes: number): void {
  if (bytes > 0) trx.send(add, { key: keyId, bytes: -bytes });
}

/** Locks a key's stored bytes until the transaction ends. */
export async function lockStored(trx: Transaction, keyId: string): Promise<void> {
  await trx.lock(`stored:${keyId}`);
}

/**
 * Recomputes the sum. The previous version does not maintain it, and may have written while both versions ran. @returns
 * whether it was wrong.
 */
export async function recountStored(trx: Transaction, keyId: string): Promise<boolean> {
  await lockStored(trx, keyId);
  const files = (await trx.first(sumOfFiles, { key: keyId }))?.bytes ?? 0;
  const inputs = (await trx.first(sumOfInputs, { key: keyId }))?.bytes ?? 0;
  const bytes = Number(files) + Number(inputs);
  if (bytes === (await storedBytesOf(trx, keyId))) return false;
  trx.send(set, { key: keyId, bytes });
  return true;
}
