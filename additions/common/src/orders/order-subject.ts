import { canonicalName, isId, type ModeFilter, parseMicros } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import type { NamedOrders } from '@darkroom-service/darkroom/kernel-views';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The orders that the text of a search names. */
export type Subject =
  | { readonly kind: 'orders'; readonly by: 'task' | NamedOrders['by']; readonly ids: readonly string[] }
  /** All orders of some keys, and those of a customer at others. */
  | { readonly kind: 'owners'; readonly by: 'end_user' | 'account' | 'key'; readonly owners: readonly Owner[] }
  | { readonly kind: 'text'; readonly by: 'text'; readonly text: string };

/** The orders that the text of a search names for people of an account, who see no keys, requests or other accounts. */
export type AccountSubject = Subject & { readonly by: 'task' | 'end_user' | 'text' };

export interface Owner {
  readonly keyId: string;
  /** End user; null = all orders of the key. */
  readonly endUser: string | null;
}

/**
 * Maximum number of keys that a text may name; beyond it the text is searched for as words: each key costs two reads of
 * an index.
 */
const MOST_KEYS = 200;
/** Prefixes of orders' ids, and least number of characters after them that name few orders. */
const TASK_PREFIXES = ['img', 'vid'];
const LEAST_OF_ID = 8;
/** Maximum number of orders that the first characters of an id may name; of more, it names the newest. */
const MOST_BEGUN = 100;
/** Form of an id of a key, or of a part of it; shorter parts are words. */
const KEY_ID_PART = /^key_[0-9a-z]{4,}$/;

/**
 * Finds the subject of a text, in this order: an order by its id or the beginning of it; a customer's id (`end_user`),
 * an account or a key by its whole id or name; the additions' subjects, such as a request by its id; an account or a
 * key by a part of its name. All are found by indexes or in small tables. Any other text is searched for as words.
 */
export async function readSubject(
  session: Session,
  given: string,
  mode: ModeFilter,
  added: readonly NamedOrders[],
): Promise<Subject> {
  const text = given.trim();
  const ids = await findTasks(session, text);
  if (ids.length > 0) return { kind: 'orders', by: 'task', ids };
  const named = await findKeys(session, text, mode);
  const whole = named.filter(({ isWhole }) => isWhole);
  const owners = [...whole.map(({ keyId }) => ofKey(keyId)), ...(await findCustomer(session, text, mode))];
  if (owners.length > 0 && owners.length <= MOST_KEYS)
    return { kind: 'owners', by: whole[0]?.by ?? 'end_user', owners };
  for (const { by, find } of added) {
    const ids = await find(session, text);
    if (ids.length > 0) return { kind: 'orders', by, ids };
  }
  const [first] = named;
  if (first === undefined || named.length > MOST_KEYS) return { kind: 'text', by: 'text', text };
  return { kind: 'owners', by: first.by, owners: named.map(({ keyId }) => ofKey(keyId)) };
}

/** Finds the subject of a text among the orders of an account: an order, a customer, else the words of prompts. */
export async function readSubjectInAccount(
  session: Session,
  given: string,
  mode: ModeFilter,
  accountId: string,
): Promise<AccountSubject> {
  const text = given.trim();
  const ids = await findTasks(session, text, accountId);
  if (ids.length > 0) return { kind: 'orders', by: 'task', ids };
  const owners = await findCustomer(session, text, mode, accountId);
  if (owners.length > 0 && owners.length <= MOST_KEYS) return { kind: 'owners', by: 'end_user', owners };
  return { kind: 'text', by: 'text', text };
}

/** Returns the condition for matching orders. Expects `tasks`, `accounts` and `api_keys`. */
export function fitsSubject(subject: Subject | null, searched: SearchedTexts): RawBuilder<SqlBool> {
  if (subject === null) return sql`1 = 1`;
  if (subject.kind === 'text') return searchOf('tasks', subject.text, searched);
  if (subject.kind === 'orders') return sql`tasks.id in (${sql.join(subject.ids)})`;
  const keys = subject.owners.flatMap(({ keyId, endUser }) => (endUser === null ? [keyId] : []));
  const customer = subject.owners.find(({ endUser }) => endUser !== null)?.endUser ?? null;
  const conditions = [
    ...(keys.length === 0 ? [] : [sql`tasks.api_key_id in (${sql.join(keys)})`]),
    ...(customer === null ? [] : [sql`tasks.end_user = ${customer}`]),
  ];
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** Returns the id of an order, or those that begin with a text. @param accountId null = of any account */
async function findTasks(session: Session, text: string, accountId: string | null = null): Promise<readonly string[]> {
  if (isId(text, 'img', 'vid')) return [text];
  const [prefix = '', begin = '', ...rest] = text.split('_');
  if (!TASK_PREFIXES.includes(prefix) || begin.length < LEAST_OF_ID || rest.length > 0) return [];
  let select = session.builder
    .selectFrom('tasks')
    .select('id')
    .where('id', '>=', text)
    .where('id', '<', `${text}~`)
    .orderBy('id', 'desc')
    .limit(MOST_BEGUN);
  if (accountId !== null) select = select.where('account_id', '=', accountId);
  return (await session.all(select)).map(({ id }) => id);
}

function ofKey(keyId: string): Owner {
  return { keyId, endUser: null };
}

async function findKeys(session: Session, text: string, mode: ModeFilter) {
  const wanted = text.toLowerCase();
  const part = `%${escapePattern(wanted)}%`;
  const idPart = escapePattern(wanted) + (KEY_ID_PART.test(wanted) ? '%' : '');
  const rows = await session.all(
    session.builder
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['api_keys.id', 'api_keys.name', 'accounts.id as account_id', 'accounts.name as account_name'])
      .where('api_keys.mode', 'in', [...modesOf(mode)])
      .where(
        sql<boolean>`(lower(accounts.id) = ${wanted} or lower(api_keys.id) like ${idPart} escape '\\'
          or lower(accounts.name) like ${part} escape '\\' or lower(api_keys.name) like ${part} escape '\\')`,
      )
      .orderBy('api_keys.id', 'desc')
      .limit(MOST_KEYS + 1),
  );
  return rows.map((row) => {
    const names = [row.account_id, row.account_name].map((name) => name.toLowerCase());
    const isOfAccount = names.includes(wanted);
    const isKey = row.name.toLowerCase() === wanted || row.id.startsWith(wanted);
    const by = isOfAccount || (!isKey && names.some((name) => name.includes(wanted))) ? 'account' : 'key';
    return { keyId: row.id, by, isWhole: isOfAccount || isKey } as const;
  });
}

/** Finds the keys that have orders of a customer: two reads of an index for each key. @param accountId null = any */
async function findCustomer(
  session: Session,
  endUser: string,
  mode: ModeFilter,
  accountId: string | null = null,
): Promise<Owner[]> {
  const name = canonicalName(endUser);
  const has = (type: 'image' | 'video') =>
    sql<boolean>`exists (select 1 from tasks where tasks.api_key_id = api_keys.id
      and tasks.type = ${type} and tasks.end_user = ${name})`;
  const rows = await session.all(
    session.builder
      .selectFrom('api_keys')
      .select('id')
      .where('mode', 'in', [...modesOf(mode)])
      .where(accountId === null ? sql<boolean>`1 = 1` : sql<boolean>`account_id = ${accountId}`)
      .where(sql<boolean>`(${has('image')} or ${has('video')})`)
      .limit(MOST_KEYS + 1),
  );
  return rows.map(({ id }) => ({ keyId: id, endUser: name }));
}

/** Texts that a search reads besides names, ids, the model, the queue and the price. */
export interface SearchedTexts {
  /** Columns that are searched, such as `task_checks.said`. */
  readonly texts: readonly string[];
  /** Whether the caller may read prompts: only then may it find orders by their words. */
  readonly prompts: boolean;
}

/**
 * Returns the condition that finds orders by the facts that an operator knows of them, ignoring case: each word is a
 * part of a name, of the model or of another text, or a whole id or price. Expects `accounts` and `api_keys` beside the
 * orders.
 */
export function searchOf(orders: 'tasks' | 'newest', text: string, searched: SearchedTexts): RawBuilder<boolean> {
  const words = text.trim().toLowerCase().split(/\s+/u);
  return sql<boolean>`(${sql.join(
    words.map((word) => wordIn(orders, word, searched)),
    sql` and `,
  )})`;
}

function wordIn(orders: 'tasks' | 'newest', wanted: string, { texts, prompts }: SearchedTexts): RawBuilder<boolean> {
  const parts = ['accounts.name', 'api_keys.name', `${orders}.model_id`, ...texts];
  const ids = [`${orders}.id`, `${orders}.account_id`, `${orders}.api_key_id`];
  const price = parseMicros(wanted);
  const contains = (name: string, pattern: string) => sql`lower(${sql.ref(name)}) like ${pattern} escape '\\'`;
  const pattern = `%${escapePattern(wanted)}%`;
  const conditions = [
    ...parts.map((name) => contains(name, pattern)),
    ...(prompts ? [contains(`${orders}.input_json`, `%"prompt":"${pattern}`)] : []),
    ...ids.map((name) => sql`lower(${sql.ref(name)}) = ${wanted}`),
    ...(price === null ? [] : [sql`${sql.ref(`${orders}.price`)} = ${price}`]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** Escapes the characters that `like … escape '\'` reads as patterns. */
function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Returns the task modes that a filter includes. */
export function modesOf(filter: ModeFilter): readonly ('live' | 'test')[] {
  return filter === 'all' ? ['live', 'test'] : [filter];
}
