import type { Selectable } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import type { OpenaiCallsTable } from '../database/openai-calls-table.ts';
import { prepare } from '../database/prepared.ts';
import type { CallView } from './image-call.ts';

/** A call of an OpenAI-compatible client, and the tasks that it ordered. */
export interface Call {
  readonly id: string;
  readonly taskIds: readonly string[];
  readonly view: CallView;
}

type CallRow = Selectable<OpenaiCallsTable>;

const insertCall = prepare<CallRow, unknown>('openai_call_insert', (builder, argument) =>
  builder.insertInto('openai_calls').values({
    id: argument('id'),
    api_key_id: argument('api_key_id'),
    digest: argument('digest'),
    task_ids_json: argument('task_ids_json'),
    view_json: argument('view_json'),
    attached: argument('attached'),
    left_at: argument('left_at'),
    delivered_at: argument('delivered_at'),
    created_at: argument('created_at'),
  }),
);

const selectCall = prepare<{ id: string; key: string }, CallRow>('openai_call_select', (builder, argument) =>
  builder
    .selectFrom('openai_calls')
    .selectAll()
    .where('id', '=', argument('id'))
    .where('api_key_id', '=', argument('key')),
);

/** Stores a call in the transaction that places its orders. */
export function enterCall(
  trx: Transaction,
  call: Call,
  of: { readonly keyId: string; readonly digest: string | null; readonly attached: number; readonly now: number },
): void {
  trx.send(insertCall, {
    id: call.id,
    api_key_id: of.keyId,
    digest: of.digest,
    task_ids_json: JSON.stringify(call.taskIds),
    view_json: JSON.stringify(call.view),
    attached: of.attached,
    left_at: null,
    delivered_at: null,
    created_at: of.now,
  });
}

/** Returns a call of this API key; null if it has none with this id. */
export async function findCall(session: Session, keyId: string, id: string): Promise<Call | null> {
  const row = await session.first(selectCall, { id, key: keyId });
  if (row === undefined) return null;
  return {
    id: row.id,
    taskIds: JSON.parse(row.task_ids_json) as string[],
    view: JSON.parse(row.view_json) as CallView,
  };
}
