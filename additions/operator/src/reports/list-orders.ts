import { type Explain, selectTasks, viewTasks } from '@darkroom-service/addition-common/operators/look-up-task';
import {
  fitsSubject,
  modesOf,
  readSubject,
  type SearchedTexts,
  type Subject,
  searchOf,
} from '@darkroom-service/addition-common/orders/order-subject';
import {
  compareIds,
  type Merged,
  mergeWalks,
  timeOf,
  walkAll,
  walkOwners,
} from '@darkroom-service/addition-common/orders/walk-orders';
import { isoTime, type ModeFilter, type OperatorTaskView, type OrderState } from '@darkroom-service/contract';
import { queuesOf, type Session } from '@darkroom-service/darkroom/kernel';
import type { NamedOrders } from '@darkroom-service/darkroom/kernel-views';
import { sql } from 'kysely';

/** The filters of the operators' list of orders. */
export interface OrderFilter {
  readonly state: OrderState;
  readonly mode: ModeFilter;
  /** The engine of the orders; null = any. */
  readonly engine: string | null;
  /** The text of the search; null = all. */
  readonly search: string | null;
  /** Whether words of prompts are searched for too. */
  readonly prompts: boolean;
  /** Further subjects by which the search finds orders, besides the core's own. */
  readonly named: readonly NamedOrders[];
}

export type OpenFilter = Omit<OrderFilter, 'state'>;

export interface OrderPage {
  readonly items: OperatorTaskView[];
  /** Kind of subject that the search named; null without a search. */
  readonly found_by: Subject['by'] | null;
  readonly searched_since: string | null;
  readonly next_after: string | null;
}

/** Number of newest entries to reconcile whose orders are listed. */
const MOST_UNKNOWN = 5_000;
/** Must equal the partial index's predicate. */
const IS_OPEN = sql<boolean>`tasks.step <> 'final'`;

/** Lists orders of all keys, newest first; those that are open oldest first, because they wait. */
export async function listOrders(
  session: Session,
  given: OrderFilter,
  page: { readonly limit: number; readonly after: string | null },
  explain: Explain,
): Promise<OrderPage> {
  const { filter, subject } = await understand(session, given);
  const { ids, nextAfter, since } = await findIds(session, filter, subject, page);
  const rows = ids.length === 0 ? [] : await session.all(selectTasks(session).where('tasks.id', 'in', ids));
  const order = new Map(ids.map((id, at) => [id, at]));
  rows.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return {
    items: await viewTasks(session, rows, explain),
    found_by: subject?.by ?? null,
    searched_since: since === null ? null : isoTime(since),
    next_after: nextAfter,
  };
}

/** Selects the open orders that a filter finds, oldest first. */
export async function selectOpen(session: Session, given: OpenFilter) {
  const { filter, subject } = await understand(session, given);
  return openOrders(session, filter, subject);
}

async function understand<Filter extends OpenFilter>(session: Session, given: Filter) {
  const subject = given.search === null ? null : await readSubject(session, given.search, given.mode, given.named);
  // A user with the id of an order means that order.
  return { subject, filter: subject?.kind === 'orders' ? { ...given, mode: 'all' as const } : given };
}

type Page = Parameters<typeof listOrders>[2];

async function findIds(session: Session, filter: OrderFilter, subject: Subject | null, page: Page): Promise<Merged> {
  if (filter.state === 'open') return await findOpen(session, filter, subject, page);
  if (filter.state === 'unknown') return await findUnknown(session, filter, subject, page);
  if (subject?.kind === 'orders') return await findNamed(session, filter, subject.ids, page);
  const wanted = {
    failedOnly: filter.state === 'failed',
    modes: modesOf(filter.mode),
    ...page,
    queues: filter.engine === null ? null : queuesOf(filter.engine),
  };
  const text = subject?.kind === 'text' ? subject.text : null;
  const walks =
    subject?.kind === 'owners'
      ? walkOwners(session, wanted, subject.owners)
      : walkAll(session, wanted, text === null ? null : searchOf('newest', text, textsOf('newest', filter)));
  return mergeWalks(await Promise.all(walks), page.limit);
}

async function findOpen(
  session: Session,
  filter: OrderFilter,
  subject: Subject | null,
  { limit, after }: Page,
): Promise<Merged> {
  let select = openOrders(session, filter, subject)
    .select('tasks.id')
    .limit(limit + 1);
  if (after !== null) {
    const last = await session.first(
      session.builder.selectFrom('tasks').select(['created_at', 'id']).where('id', '=', after),
    );
    if (last === undefined) return { ids: [], nextAfter: null, since: null };
    select = select.where(sql<boolean>`(tasks.created_at, tasks.id) > (${last.created_at}, ${last.id})`);
  }
  return cut(await session.all(select), limit);
}

function openOrders(session: Session, filter: OpenFilter, subject: Subject | null) {
  return listed(session, filter, subject).where(IS_OPEN).orderBy('tasks.created_at').orderBy('tasks.id');
}

/** Finds orders with an entry that nobody has resolved. */
async function findUnknown(
  session: Session,
  filter: OrderFilter,
  subject: Subject | null,
  { limit, after }: Page,
): Promise<Merged> {
  const entries = session.builder
    .selectFrom('reconciliation')
    .select('task_id')
    .where('resolved_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(MOST_UNKNOWN);
  const time = sql<string>`substr(tasks.id, 5)`;
  let select = session.builder
    .selectFrom(entries.as('entries'))
    // Cross joins, because SQLite would otherwise read the tasks of each account first.
    .crossJoin('tasks')
    .crossJoin('accounts')
    .crossJoin('api_keys')
    .whereRef('tasks.id', '=', 'entries.task_id')
    .whereRef('accounts.id', '=', 'tasks.account_id')
    .whereRef('api_keys.id', '=', 'tasks.api_key_id')
    .leftJoin('task_checks', 'task_checks.task_id', 'tasks.id')
    .select('tasks.id')
    .where(fits(filter, subject))
    .groupBy('tasks.id')
    .orderBy(time, 'desc')
    .limit(limit + 1);
  if (after !== null) select = select.where(time, '<', timeOf(after));
  return cut(await session.all(select), limit);
}

async function findNamed(
  session: Session,
  filter: OrderFilter,
  named: readonly string[],
  { limit, after }: Page,
): Promise<Merged> {
  let select = listed(session, filter, { kind: 'orders', by: 'task', ids: named }).select('tasks.id');
  if (filter.state === 'failed') select = select.where('tasks.status', '=', 'failed');
  const rows = (await session.all(select)).filter(({ id }) => after === null || compareIds(id, after) < 0);
  return cut(
    rows.sort((a, b) => compareIds(b.id, a.id)),
    limit,
  );
}

function listed(session: Session, filter: OpenFilter, subject: Subject | null) {
  return session.builder
    .selectFrom('tasks')
    .innerJoin('accounts', 'accounts.id', 'tasks.account_id')
    .innerJoin('api_keys', 'api_keys.id', 'tasks.api_key_id')
    .leftJoin('task_checks', 'task_checks.task_id', 'tasks.id')
    .where(fits(filter, subject));
}

function fits(filter: OpenFilter, subject: Subject | null) {
  const { mode, engine } = filter;
  const conditions = [
    sql`tasks.mode in (${sql.join([...modesOf(mode)])})`,
    fitsSubject(subject, textsOf('tasks', filter)),
    ...(engine === null ? [] : [sql`tasks.queue in (${sql.join(queuesOf(engine))})`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function textsOf(orders: 'tasks' | 'newest', { prompts }: Pick<OrderFilter, 'prompts'>): SearchedTexts {
  const columns = ['queue', 'end_user', 'metadata_json', 'error_json'].map((column) => `${orders}.${column}`);
  return { texts: orders === 'tasks' ? [...columns, 'task_checks.said'] : columns, prompts };
}

function cut(rows: readonly { readonly id: string }[], limit: number): Merged {
  const ids = rows.slice(0, limit).map(({ id }) => id);
  return { ids, nextAfter: rows.length > limit ? (ids.at(-1) ?? null) : null, since: null };
}
