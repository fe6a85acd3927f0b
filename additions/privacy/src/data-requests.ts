import { canonicalName, cutText, isoTime, ServiceError } from '@darkroom-service/contract';
import {
  type Act,
  type Kernel,
  type Session,
  type Store,
  scopeDigest,
  type Transaction,
} from '@darkroom-service/darkroom/kernel';
import { enterWork } from '@darkroom-service/store';
import type { Selectable } from 'kysely';
import type { DataRequestsTable } from './request-tables.ts';
import type { DataExportView, ErasureView } from './request-wire.ts';
import { undecidedUploads } from './undecided-uploads.ts';

export type DataRequest = Selectable<DataRequestsTable>;
/** Account or end user whose data a request is about. */
export interface Subject {
  readonly accountId: string;
  /** End user; null = the whole account. */
  readonly endUser: string | null;
  /** Whether an erasure also removes uploads that name no end user, if only orders of this one used them. */
  readonly uploads?: boolean;
}

const DAY_MS = 86_400_000;
/** Days for which the archives of an export can be downloaded. */
const EXPORT_DAYS = 7;
/** Maximum number of undecided uploads in an answer. */
const MOST_SHOWN = 100;

type Requesting = Pick<Kernel, 'accounts' | 'store'>;

/** Returns the digest that identifies an end user of an account without its name. */
export function digestOf(accountId: string, endUser: string): string {
  return scopeDigest(accountId, endUser);
}

/** Requests an export. @throws ServiceError `not_found` */
export async function requestExport(kernel: Requesting, by: Act, subject: Subject): Promise<DataExportView> {
  const row = newRequest('export', by.createId('exp'), subject, by.now);
  await kernel.store.write('request_export', async (trx) => {
    await enter(kernel, trx, by, row);
  });
  return viewExport(row);
}

/**
 * Requests an erasure, which a worker carries out. An account with an admin key cannot be erased.
 * @throws ServiceError `not_found`, `invalid_request`
 */
export async function requestErasure(kernel: Requesting, by: Act, subject: Subject): Promise<ErasureView> {
  const { store } = kernel;
  const row = newRequest('erasure', by.createId('era'), subject, by.now);
  await store.write('request_erasure', async (trx) => {
    await enter(kernel, trx, by, row);
    if (subject.endUser === null) await assertNoAdminKey(trx, subject.accountId, by.now);
    enterWork(trx, { kind: 'erasure', subject: row.id, owner: row.account_id, now: await store.now(trx) });
  });
  return await viewErasure(store.read, row);
}

/** Inserts an earlier erasure, as a list of erasures has it, unless the database knows it. */
export async function enterKnownErasure(
  kernel: Requesting,
  by: Act,
  known: { readonly id: string; readonly subject: Subject; readonly requestedAt: number },
): Promise<boolean> {
  const { store } = kernel;
  return await store.write('repeat_erasure', async (trx) => {
    await by.binding?.within(trx, known.id);
    await trx.lock(`erasure:${known.id}`);
    if ((await findRequest(trx, known.id)) !== null) return false;
    const row = newRequest('erasure', known.id, known.subject, known.requestedAt);
    await trx.run(trx.builder.insertInto('data_requests').values(row));
    await recordRequest(kernel, trx, by, row);
    const { accountId: owner } = known.subject;
    enterWork(trx, { kind: 'erasure', subject: known.id, owner, now: await store.now(trx) });
    return true;
  });
}

/** Records an erasure for which the database has nothing, so that it is not searched for again. */
export async function recordEmptyErasure(
  store: Pick<Store, 'write'>,
  known: {
    readonly id: string;
    readonly accountId: string;
    readonly digest: string | null;
    readonly requestedAt: number;
  },
  now: number,
): Promise<void> {
  const row = newRequest('erasure', known.id, { accountId: known.accountId, endUser: null }, known.requestedAt);
  await store.write('note_erasure', (trx) =>
    trx.run(
      trx.builder
        .insertInto('data_requests')
        .values({ ...row, end_user_digest: known.digest, completed_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    ),
  );
}

export async function findRequest(session: Session, id: string): Promise<DataRequest | null> {
  return (await session.first(session.builder.selectFrom('data_requests').selectAll().where('id', '=', id))) ?? null;
}

/** Reads a data request of a kind. @throws ServiceError `not_found` */
export async function requireRequest(session: Session, kind: DataRequest['kind'], id: string): Promise<DataRequest> {
  const row = await findRequest(session, id);
  if (row?.kind === kind) return row;
  throw new ServiceError('not_found', `There is no ${kind} '${cutText(id, 64)}'.`);
}

/** Lists erasures, newest first. @param page.after the `erasure_id` to continue from */
export async function listErasures(
  session: Session,
  page: { readonly limit: number; readonly after: string | null },
): Promise<{ readonly items: ErasureView[]; readonly hasMore: boolean }> {
  let query = session.builder
    .selectFrom('data_requests')
    .selectAll()
    .where('kind', '=', 'erasure')
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.after !== null) query = query.where('id', '<', page.after);
  const rows = await session.all(query);
  const items = await Promise.all(rows.slice(0, page.limit).map((row) => viewErasure(session, row)));
  return { items, hasMore: rows.length > page.limit };
}

export function viewExport(row: DataRequest): DataExportView {
  return {
    export_id: row.id,
    account_id: row.account_id,
    end_user: row.end_user,
    requested_at: isoTime(row.requested_at),
    expires_at: isoTime(row.expires_at ?? row.requested_at),
  };
}

export async function viewErasure(session: Session, row: DataRequest): Promise<ErasureView> {
  const undecided = await undecidedUploads(session, row);
  return {
    erasure_id: row.id,
    account_id: row.account_id,
    end_user: row.end_user,
    requested_at: isoTime(row.requested_at),
    end_user_digest: row.end_user_digest,
    status: row.completed_at === null ? 'processing' : 'completed',
    orders: row.orders,
    files: row.files,
    waiting: row.waiting,
    uploads: row.uploads === 1,
    undecided: undecided.length,
    undecided_uploads: undecided.slice(0, MOST_SHOWN).map(({ id }) => id),
    completed_at: isoTime(row.completed_at),
  };
}

function newRequest(kind: DataRequest['kind'], id: string, subject: Subject, now: number): DataRequest {
  const { accountId: account_id, endUser } = subject;
  const end_user = endUser === null ? null : canonicalName(endUser);
  return {
    id,
    kind,
    account_id,
    end_user,
    end_user_digest: end_user === null ? null : digestOf(account_id, end_user),
    requested_at: now,
    expires_at: kind === 'export' ? now + EXPORT_DAYS * DAY_MS : null,
    completed_at: null,
    cleaned_to: '',
    orders: 0,
    files: 0,
    waiting: 0,
    uploads: subject.uploads === true ? 1 : 0,
  };
}

async function enter(kernel: Requesting, trx: Transaction, by: Act, row: DataRequest): Promise<void> {
  await by.binding?.within(trx, row.id);
  const account = await trx.first(trx.builder.selectFrom('accounts').select('id').where('id', '=', row.account_id));
  if (account === undefined)
    throw new ServiceError('not_found', `There is no account '${cutText(row.account_id, 64)}'.`, {
      param: 'account_id',
    });
  await trx.run(trx.builder.insertInto('data_requests').values(row));
  await recordRequest(kernel, trx, by, row);
}

/**
 * Records a request in the audit log, which has the digest of end users, so that it need not change when their names
 * are erased.
 */
async function recordRequest({ accounts }: Requesting, trx: Transaction, by: Act, row: DataRequest): Promise<void> {
  const what = row.end_user === null ? 'account' : 'end_user';
  const act = row.kind === 'export' ? `${what}.export` : `${what}.erase`;
  const detail = { account_id: row.account_id, subject: row.id };
  await accounts.record(trx, by, { act, target: row.end_user_digest ?? row.account_id, detail });
}

async function assertNoAdminKey(trx: Transaction, accountId: string, now: number): Promise<void> {
  const key = await trx.first(
    trx.builder
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', accountId)
      .where('mode', '=', 'admin')
      .where('revoked_at', 'is', null)
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .limit(1),
  );
  if (key === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `The account '${accountId}' has the admin key '${key.id}', so it is the operator's own. Revoke the key first.`,
    { param: 'account_id' },
  );
}
