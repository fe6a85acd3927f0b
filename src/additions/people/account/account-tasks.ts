import { ServiceError } from '@darkroom-service/contract/errors';
import { sql } from 'kysely';
import type { OrderingKey } from '../../../accounts/api-key.ts';
import type { Session } from '../../../database/database.ts';
import type { FindServices } from '../../../tasks/views/find-tasks.ts';
import { findTaskRow, viewFoundTask } from '../../../tasks/views/find-tasks.ts';
import { ownerInAccount } from '../../../tasks/views/owner-in-account.ts';
import type { AccountTaskView } from '../people-wire.ts';

/** So many keys are asked for their newest orders in one statement. */
const KEYS_AT_ONCE = 100;
const AFTER_EVERY_ID = '~';

interface Page {
  readonly type: 'image' | 'video';
  readonly limit: number;
  /** A task_id: older orders; null = from the newest. */
  readonly after: string | null;
}

/** Lists the orders of all keys of the caller's account in the caller's mode, newest first. */
export async function listAccountTasks(
  services: FindServices,
  caller: OrderingKey,
  page: Page,
): Promise<{ readonly items: AccountTaskView[]; readonly hasMore: boolean }> {
  const { read } = services.database;
  const keys = await keysOfAccount(read, caller);
  const found: Found[] = [];
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
    found.push(...(await newestOf(read, keys.slice(from, from + KEYS_AT_ONCE), page)));
  const newest = found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, page.limit + 1);
  const items: AccountTaskView[] = [];
  for (const { id } of newest.slice(0, page.limit)) {
    const item = await viewAccountTask(services, caller, id).catch((error: unknown) => {
      // It was deleted meanwhile.
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    });
    if (item !== null) items.push(item);
  }
  return { items, hasMore: newest.length > page.limit };
}

/** An order of any key of the caller's account and mode. @throws ServiceError `task_not_found` */
export async function viewAccountTask(
  services: FindServices,
  caller: OrderingKey,
  taskId: string,
): Promise<AccountTaskView> {
  const { read } = services.database;
  const owner = await ownerInAccount(read, caller, 'tasks', taskId);
  const row = await findTaskRow(read, owner, null, taskId);
  const person = await read.first(
    read.builder
      .selectFrom('person_keys')
      .innerJoin('people', 'people.id', 'person_keys.person_id')
      .select(['people.id', 'people.name'])
      .where('key_id', '=', owner.id),
  );
  return {
    task: await viewFoundTask(services, owner, row),
    ordered_by: { key_id: owner.id, person_id: person?.id ?? null, name: person?.name ?? owner.name },
  };
}

async function keysOfAccount(read: Session, { account, mode }: OrderingKey): Promise<string[]> {
  const rows = await read.all(
    read.builder.selectFrom('api_keys').select('id').where('account_id', '=', account.id).where('mode', '=', mode),
  );
  return rows.map(({ id }) => id);
}

interface Found {
  readonly id: string;
}

/** Each key's own newest orders come from its index, so that the cost follows the keys and not the orders. */
async function newestOf(read: Session, keys: readonly string[], { type, limit, after }: Page): Promise<Found[]> {
  const parts = keys.map(
    (key) => sql`select id from (
      select id from tasks where api_key_id = ${key} and type = ${type} and id < ${after ?? AFTER_EVERY_ID}
      and deleted_at is null order by id desc limit ${sql.lit(limit + 1)}
    ) as part`,
  );
  const union = sql<Found>`(${sql.join(parts, sql` union all `)})`;
  return await read.all(
    read.builder
      .selectFrom(union.as('found'))
      .select('found.id')
      .orderBy('found.id', 'desc')
      .limit(limit + 1),
  );
}
