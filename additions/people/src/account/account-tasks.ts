import {
  type AccountSubject,
  readSubjectInAccount,
  searchOf,
} from '@darkroom-service/addition-common/orders/order-subject';
import {
  type Merged,
  mergeWalks,
  timeOf,
  walkAll,
  walkOwners,
} from '@darkroom-service/addition-common/orders/walk-orders';
import { ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey, Session } from '@darkroom-service/darkroom/kernel';
import { type SqlBool, sql } from 'kysely';
import type { AccountTaskView } from '../people-wire.ts';

/** Number of keys whose newest orders one statement reads. */
const KEYS_AT_ONCE = 100;
/**
 * Maximum number of keys whose orders are searched by key; beyond it the orders of the whole service are searched: each
 * key costs two reads of an index.
 */
const MOST_KEYS = 200;
const PREFIXES = { image: 'img', video: 'vid' } as const;
type Type = keyof typeof PREFIXES;

type Parts = Pick<Kernel, 'store' | 'tasks'>;

interface TaskQuery {
  /** Type of the orders; null = both. */
  readonly type: Type | null;
  /** Words that each order contains, or its id; null = all. */
  readonly search: string | null;
  readonly limit: number;
  /** A task_id; lists older orders; null = from the newest. */
  readonly after: string | null;
}

interface AccountPage {
  readonly items: AccountTaskView[];
  /** Value of `after` for the next page; null = this is the last one. */
  readonly nextAfter: string | null;
  /** Time since which placed orders were searched, in ms; null = all were. */
  readonly since: number | null;
  /** Kind of subject that the search named; null without a search. */
  readonly foundBy: AccountSubject['by'] | null;
}

/** Lists the orders of all keys of the caller's account in the caller's mode, newest first. */
export async function listAccountTasks(kernel: Parts, caller: OrderingKey, query: TaskQuery): Promise<AccountPage> {
  const keys = await keysOfAccount(kernel.store.read, caller);
  const { search } = query;
  const { ids, nextAfter, since, foundBy } =
    search === null
      ? { ...(await newestOf(kernel.store.read, keys, query)), foundBy: null }
      : await find(kernel, caller, keys, { ...query, search });
  const items: AccountTaskView[] = [];
  for (const id of ids) {
    const item = await viewAccountTask(kernel, caller, id).catch((error: unknown) => {
      // It was deleted meanwhile.
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    });
    if (item !== null) items.push(item);
  }
  return { items, nextAfter, since, foundBy };
}

/** Returns an order of any key of the caller's account and mode. @throws ServiceError `task_not_found` */
export async function viewAccountTask(kernel: Parts, caller: OrderingKey, taskId: string): Promise<AccountTaskView> {
  const {
    store: { read },
    tasks,
  } = kernel;
  const owner = await tasks.ownerInAccount(caller, 'order', taskId);
  const task = await tasks.find(owner, null, taskId);
  const person = await read.first(
    read.builder
      .selectFrom('person_keys')
      .innerJoin('people', 'people.id', 'person_keys.person_id')
      .select(['people.id', 'people.name'])
      .where('key_id', '=', owner.id),
  );
  return {
    task,
    ordered_by: { key_id: owner.id, person_id: person?.id ?? null, name: person?.name ?? owner.name },
  };
}

async function keysOfAccount(read: Session, { account, mode }: OrderingKey): Promise<string[]> {
  const rows = await read.all(
    read.builder.selectFrom('api_keys').select('id').where('account_id', '=', account.id).where('mode', '=', mode),
  );
  return rows.map(({ id }) => id);
}

/** Reads each key's own newest orders from its index, so that the cost depends on the keys and not on the orders. */
async function newestOf(read: Session, keys: readonly string[], { type, limit, after }: TaskQuery): Promise<Merged> {
  const found: string[] = [];
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const parts = keys.slice(from, from + KEYS_AT_ONCE).flatMap((key) =>
      typesOf(type).map((one) => {
        const below = `${PREFIXES[one]}_${after === null ? '~' : timeOf(after)}`;
        return sql`select id from (
          select id from tasks where api_key_id = ${key} and type = ${one} and id < ${below}
          and deleted_at is null order by id desc limit ${sql.lit(limit + 1)}
        ) as part`;
      }),
    );
    const union = sql<{ id: string }>`(${sql.join(parts, sql` union all `)})`;
    const time = sql<string>`substr(found.id, 5)`;
    const newest = read.builder
      .selectFrom(union.as('found'))
      .select('found.id')
      .orderBy(time, 'desc')
      .limit(limit + 1);
    found.push(...(await read.all(newest)).map(({ id }) => id));
  }
  return mergeWalks([{ ids: found, end: null }], limit);
}

/**
 * Finds orders by the subject that a text names, else by its words among the newest of each key, where long reports are
 * read.
 */
async function find(
  { store: { reports } }: Parts,
  { account, mode }: OrderingKey,
  keys: readonly string[],
  { type, search, limit, after }: TaskQuery & { readonly search: string },
): Promise<Merged & { readonly foundBy: AccountSubject['by'] }> {
  const types = typesOf(type).map((one) => `${PREFIXES[one]}_`);
  const subject = await readSubjectInAccount(reports, search, mode, account.id);
  const foundBy = subject.by;
  if (subject.kind === 'orders') {
    const ids = subject.ids.filter((id) => after === null && types.some((prefix) => id.startsWith(prefix)));
    return { ids, nextAfter: null, since: null, foundBy };
  }
  const ofType = sql.join(
    types.map((prefix) => sql`newest.id like ${`${prefix}%`}`),
    sql` or `,
  );
  const isListed = sql<SqlBool>`newest.account_id = ${account.id} and newest.deleted_at is null and (${ofType})`;
  const wanted = { failedOnly: false, modes: [mode], queues: null, after, limit };
  if (subject.kind === 'owners')
    return { ...mergeWalks(await Promise.all(walkOwners(reports, wanted, subject.owners, isListed)), limit), foundBy };
  const words = searchOf('newest', search, { texts: ['newest.end_user', 'newest.metadata_json'], prompts: true });
  const fits = sql<SqlBool>`${isListed} and ${words}`;
  const owners = keys.map((keyId) => ({ keyId, endUser: null }));
  const walks = keys.length > MOST_KEYS ? walkAll(reports, wanted, fits) : walkOwners(reports, wanted, owners, fits);
  return { ...mergeWalks(await Promise.all(walks), limit), foundBy };
}

function typesOf(type: Type | null): readonly Type[] {
  return type === null ? ['image', 'video'] : [type];
}
