import type { Kernel, Session, TaskHooks, TaskRow } from '@darkroom-service/darkroom/kernel';
import { type Compilable, sql } from 'kysely';
import type { DataRequest } from './data-requests.ts';

type Row = Readonly<Record<string, unknown>>;
type PersonalTables = NonNullable<TaskHooks['personalTables']>;
/** Rows of one table, as in JSON lines. */
interface StoredRows {
  readonly name: string;
  readonly lines: AsyncIterable<object>;
}

/** Columns for internal use, which say nothing about the customer. */
const INTERNAL: readonly string[] = [
  'rank',
  'claimable',
  'fence',
  'worker',
  'next_at',
  'queue',
  'attempts',
  'followed',
  'gates',
  'line',
  'scope',
  'revision',
  'storage_key',
  'keep_json',
  'operation_json',
];
const PORTION = 500;
/** Prefix of the names of end users that are people who sign in. */
const PERSON = 'psn_';

/** Yields the stored rows of an account or an end user, except its orders. Long tables are read in portions. */
export async function* rowsOfSubject(
  kernel: Pick<Kernel, 'customers' | 'hooks' | 'keys' | 'store'>,
  request: DataRequest,
  keys: readonly string[],
): AsyncGenerator<StoredRows> {
  const { customers, hooks } = kernel;
  const { read } = kernel.store;
  const { account_id: accountId, end_user: endUser } = request;
  const ofKeys = { column: 'api_key_id', values: keys, endUser };
  yield { name: 'end_users.jsonl', lines: inPortions(read, { table: 'end_users', ...ofKeys, order: 'end_user' }) };
  yield { name: 'uploads.jsonl', lines: inPortions(read, { table: 'files', ...ofKeys, order: 'id' }) };
  if (endUser?.startsWith(PERSON) === true) yield* rowsOfPerson(read, hooks, endUser);
  if (endUser !== null) return;
  yield { name: 'account.jsonl', lines: list(async () => [await customers.read(accountId)]) };
  yield { name: 'keys.jsonl', lines: list(() => kernel.keys.list({ accountId })) };
  yield { name: 'ledger.jsonl', lines: ledgerOf(read, accountId) };
  for (const { table, accountColumn, keyColumn, taskColumn, hidden = [] } of personalTables(hooks)) {
    if (accountColumn !== undefined && taskColumn === undefined)
      yield { name: `${table}.jsonl`, lines: list(() => rowsOf(read, table, accountColumn, [accountId], hidden)) };
    if (keyColumn !== undefined) {
      const ofKey = { table, column: keyColumn, values: keys, endUser: null, order: 'id', hidden };
      yield { name: `${table}.jsonl`, lines: inPortions(read, ofKey) };
    }
  }
}

/**
 * Lists the stored rows of somebody who signs in: their account, and the audit log's entries about them and by them.
 */
async function* rowsOfPerson(read: Session, hooks: Kernel['hooks'], personId: string): AsyncGenerator<StoredRows> {
  const emails: string[] = [];
  for (const { table, personColumn, emailColumn, hidden = [] } of personalTables(hooks)) {
    if (personColumn === undefined) continue;
    const own = await rowsOf(read, table, personColumn, [personId], hidden);
    emails.push(...own.flatMap(({ id, email }) => (id === personId && typeof email === 'string' ? [email] : [])));
    const isKnown = emailColumn !== undefined && emails.length > 0;
    const more = isKnown ? await rowsOf(read, table, emailColumn, emails, hidden) : [];
    yield { name: `${table}.jsonl`, lines: list(async () => [...own, ...more]) };
  }
  yield { name: 'audit_log.jsonl', lines: actsOf(read, personId) };
}

/** Lists a person's entries of the audit log. Acts of others have the act only, without its actor and address. */
async function* actsOf(read: Session, personId: string): AsyncGenerator<object> {
  for (let after = ''; ; ) {
    const rows = await read.all(
      read.builder
        .selectFrom('audit_log')
        .selectAll()
        .where(({ or, eb }) => or([eb('actor', '=', personId), eb('target', '=', personId)]))
        .where('id', '>', after)
        .orderBy('id')
        .limit(PORTION),
    );
    for (const row of rows) yield shown({ ...row }, row.actor === personId ? [] : ['actor', 'actor_name', 'address']);
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Yields the orders of an archive, and the rows about them in other tables. */
export async function* rowsOfTasks(
  { store: { read }, tasks: { groups: groupsOf }, hooks }: Pick<Kernel, 'hooks' | 'store' | 'tasks'>,
  request: DataRequest,
  tasks: readonly TaskRow[],
): AsyncGenerator<StoredRows> {
  if (tasks.length === 0) return;
  const ids = tasks.map(({ id }) => id);
  const groups = await groupsOf(read, tasks);
  const ofTask = ({ id: task }: TaskRow) => ({
    batch_id: groups.get(task)?.id ?? null,
    batch_name: groups.get(task)?.name ?? null,
  });
  yield { name: 'orders.jsonl', lines: list(async () => tasks.map((task) => shown({ ...task, ...ofTask(task) }, []))) };
  const ledger: PersonalTables = request.end_user === null ? [] : [{ table: 'ledger', taskColumn: 'task_id' }];
  const groupIds = [...new Set([...groups.values()].map(({ id }) => id))];
  if (request.end_user !== null && groupIds.length > 0)
    for (const { table, groupColumns } of personalTables(hooks))
      if (groupColumns !== undefined)
        yield { name: `${table}.jsonl`, lines: list(() => rowsOf(read, table, 'id', groupIds, [], groupColumns)) };
  for (const { table, taskColumn, keyColumn, hidden = [] } of [...ledger, ...personalTables(hooks)])
    if (taskColumn !== undefined && (request.end_user !== null || keyColumn === undefined))
      yield { name: `${table}.jsonl`, lines: list(() => rowsOf(read, table, taskColumn, ids, hidden)) };
}

function personalTables(hooks: Kernel['hooks']): PersonalTables {
  return hooks.flatMap(({ personalTables: tables = [] }) => tables);
}

async function* list(read: () => Promise<readonly object[]>): AsyncGenerator<object> {
  yield* await read();
}

async function rowsOf(
  read: Session,
  table: string,
  column: string,
  values: readonly string[],
  hidden: readonly string[],
  columns?: readonly string[],
): Promise<Row[]> {
  const selected = columns === undefined ? sql`*` : sql.join(columns.map((name) => sql.ref(name)));
  const query = sql<Row>`select ${selected} from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(values)})`;
  const rows = await read.all({ compile: () => query.compile(read.builder) } as Compilable<Row>);
  return rows.map((row) => shown(row, hidden));
}

interface Portions {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
  /** End user; null = all. */
  readonly endUser: string | null;
  /** Column that is unique together with a value. */
  readonly order: string;
  readonly hidden?: readonly string[];
}

async function* inPortions(
  read: Session,
  { table, column, values, endUser, order, hidden = [] }: Portions,
): AsyncGenerator<object> {
  const ofEndUser = endUser === null ? sql`` : sql` and end_user = ${endUser}`;
  for (const value of values)
    for (let after = ''; ; ) {
      const query = sql<Row>`select * from ${sql.table(table)} where ${sql.ref(column)} = ${value}${ofEndUser}
        and ${sql.ref(order)} > ${after} order by ${sql.ref(order)} limit ${PORTION}`;
      const rows = await read.all({ compile: () => query.compile(read.builder) } as Compilable<Row>);
      for (const row of rows) yield shown(row, hidden);
      if (rows.length < PORTION) break;
      after = String(rows.at(-1)?.[order]);
    }
}

async function* ledgerOf(read: Session, accountId: string): AsyncGenerator<object> {
  for (let [at, id, kind] = [0, '', '']; ; ) {
    const rows = await read.all(
      read.builder
        .selectFrom('ledger')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(({ or, and, eb }) =>
          or([
            eb('created_at', '>', at),
            and([eb('created_at', '=', at), eb('task_id', '>', id)]),
            and([eb('created_at', '=', at), eb('task_id', '=', id), sql<boolean>`kind > ${kind}`]),
          ]),
        )
        .orderBy('created_at')
        .orderBy('task_id')
        .orderBy('kind')
        .limit(PORTION),
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTION) return;
    [at, id, kind] = [last.created_at, last.task_id, last.kind];
  }
}

/** Returns a row without internal columns; JSON in it as its content. */
function shown(row: Row, hidden: readonly string[]): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !INTERNAL.includes(name) && !hidden.includes(name))
      .map(([name, value]) => {
        if (!name.endsWith('_json') || typeof value !== 'string') return [name, value];
        return [name.slice(0, -'_json'.length), parsed(value)];
      }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
