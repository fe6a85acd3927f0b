import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { idOfEndUser } from './client-scope.ts';
import { lockStored } from './stored-bytes.ts';

interface SumRow {
  end_user: string | null;
  bytes: number | string;
}

const sumOfFiles = prepare<{ key: string }, SumRow>('stored_bytes_files', (builder, argument) =>
  builder
    .selectFrom('files')
    .select((expression) => ['end_user', expression.fn.sum<number | string>('bytes').as('bytes')])
    .where('api_key_id', '=', argument('key'))
    .where('erased_at', 'is', null)
    .groupBy('end_user'),
);

const sumOfInputs = prepare<{ key: string }, SumRow>('stored_bytes_inputs', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select((expression) => ['end_user', expression.fn.sum<number | string>('input_bytes').as('bytes')])
    .where('api_key_id', '=', argument('key'))
    .where('input_bytes', 'is not', null)
    .where('erased_at', 'is', null)
    .groupBy('end_user'),
);

const counted = prepare<{ key: string; from: string; to: string }, { api_key_id: string; bytes: number }>(
  'stored_bytes_counted',
  (builder, argument) =>
    builder
      .selectFrom('stored_bytes')
      .select(['api_key_id', 'bytes'])
      .where((expression) =>
        expression.or([
          expression('api_key_id', '=', argument('key')),
          expression.and([
            expression('api_key_id', '>=', argument('from')),
            expression('api_key_id', '<', argument('to')),
          ]),
        ]),
      ),
);

const set = prepare<{ id: string; bytes: number }, unknown>('stored_bytes_set', (builder, argument) =>
  builder
    .insertInto('stored_bytes')
    .values({ api_key_id: argument('id'), bytes: argument('bytes') })
    .onConflict((conflict) =>
      conflict.column('api_key_id').doUpdateSet((expression) => ({ bytes: expression.ref('excluded.bytes') })),
    ),
);

const drop = prepare<{ id: string }, unknown>('stored_bytes_drop', (builder, argument) =>
  builder.deleteFrom('stored_bytes').where('api_key_id', '=', argument('id')),
);

/**
 * Recomputes the sums of a key and its end users, and removes those of end users without files. The previous version
 * does not maintain them, and may have written while both versions ran.
 * @returns whether one was wrong
 */
export async function recountStored(trx: Transaction, keyId: string): Promise<boolean> {
  await lockStored(trx, keyId);
  const sums = new Map([[keyId, 0]]);
  const add = (id: string, bytes: number) => sums.set(id, (sums.get(id) ?? 0) + bytes);
  for (const statement of [sumOfFiles, sumOfInputs]) {
    for (const { end_user: endUser, bytes } of await trx.all(statement, { key: keyId })) {
      add(keyId, Number(bytes));
      if (endUser !== null) add(idOfEndUser(keyId, endUser), Number(bytes));
    }
  }
  // Ids of end users begin with the key's id and a colon; the semicolon is the character after it.
  const found = await trx.all(counted, { key: keyId, from: `${keyId}:`, to: `${keyId};` });
  const known = new Map(found.map(({ api_key_id: id, bytes }) => [id, bytes]));
  let wasWrong = false;
  for (const id of new Set([...sums.keys(), ...known.keys()])) {
    const bytes = sums.get(id) ?? 0;
    if (bytes !== (known.get(id) ?? 0)) wasWrong = true;
    if (bytes === 0 && id !== keyId) trx.send(drop, { id });
    else if (bytes !== known.get(id)) trx.send(set, { id, bytes });
  }
  return wasWrong;
}
