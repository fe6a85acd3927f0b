import { isoTime, ServiceError } from '@darkroom-service/contract';
import { type OrderingKey, prepare, type Session, type TaskRow } from '@darkroom-service/darkroom/kernel';
import { sql } from 'kysely';
import type { OriginView } from './origin-wire.ts';

type Row = Pick<TaskRow, 'id' | 'type' | 'completed_at'>;

interface OwnArguments {
  sha256: string;
  account: string;
  mode: OrderingKey['mode'];
  key: string;
  /** Whether the key may see the whole account (1 = yes). */
  view: number;
}

/**
 * Selects the first task with this output that the key may see. Outputs of other accounts change neither the statement
 * nor the rows that it reads.
 */
const selectOwn = prepare<OwnArguments, Row>('own_origin', (builder, argument) =>
  builder
    .selectFrom('output_hashes')
    .innerJoin('tasks', 'tasks.id', 'output_hashes.task_id')
    .select(['tasks.id', 'type', 'completed_at'])
    .where('sha256', '=', argument('sha256'))
    .where('output_hashes.account_id', '=', argument('account'))
    .where('mode', '=', argument('mode'))
    .where(({ eb, or }) => or([eb('api_key_id', '=', argument('key')), eb(sql`1`, '=', argument('view'))]))
    .orderBy('output_hashes.task_id')
    .limit(1),
);

const selectAny = prepare<{ sha256: string }, Row>('any_origin', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['id', 'type', 'completed_at'])
    .where('id', '=', (first) =>
      first
        .selectFrom('output_hashes')
        .select(({ fn }) => fn.min('task_id').as('task_id'))
        .where('sha256', '=', argument('sha256')),
    ),
);

/**
 * Finds the task with an output that the key may see.
 * @throws ServiceError `not_found`, also if the output belongs to another account
 */
export async function findOwnOrigin(session: Session, key: OrderingKey, sha256: string): Promise<OriginView> {
  const { id, mode, account, accountView } = key;
  const values = { sha256, account: account.id, mode, key: id, view: Number(accountView) };
  return viewOrigin(await session.first(selectOwn, values), sha256);
}

/** Finds the first task with this output, of any account. @throws ServiceError `not_found` */
export async function findAnyOrigin(session: Session, sha256: string): Promise<OriginView> {
  return viewOrigin(await session.first(selectAny, { sha256 }), sha256);
}

function viewOrigin(row: Row | undefined, sha256: string): OriginView {
  if (row?.completed_at == null)
    throw new ServiceError('not_found', 'No output that you may know of has this SHA-256.', { param: 'sha256' });
  return { sha256, type: row.type, made_at: isoTime(row.completed_at), task_id: row.id };
}
