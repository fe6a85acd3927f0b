import { canonicalName } from '@darkroom-service/contract';
import { type Compilable, sql } from 'kysely';
import type { Kernel, OrderingKey } from '../../kernel.ts';
import { MOST_COUNTED, type TagView } from './tag-wire.ts';

/**
 * Returns a page of the caller's tags by name, each with the number of its tasks. Reads a bounded part of the index,
 * however many tasks have a tag.
 * @throws ServiceError `rate_limited` if too many reports of the key wait for their turn
 */
export async function listTags(
  { store }: Pick<Kernel, 'store'>,
  key: OrderingKey,
  query: { readonly limit: number; readonly after: string },
): Promise<{ readonly items: TagView[]; readonly hasMore: boolean }> {
  const endUser = key.client?.endUser;
  const own = sql`api_key_id = ${key.id} and ${endUser === undefined ? sql`1 = 1` : sql`end_user = ${canonicalName(endUser)}`}`;
  // Steps from each tag to the next one; a query that groups would read all rows of the key.
  const statement = sql<TagView>`
    with recursive names(tag, place) as (
      select min(tag), 1 from task_tags where ${own} and tag > ${query.after}
      union all
      select (select min(next.tag) from task_tags as next where ${own} and next.tag > names.tag), place + 1
      from names where names.tag is not null and place <= ${sql.lit(query.limit)}
    )
    select tag, (
      select count(*) from (
        select 1 from task_tags as tagged where ${own} and tagged.tag = names.tag limit ${sql.lit(MOST_COUNTED)}
      ) as counted
    ) as tasks
    from names where tag is not null order by tag`;
  const reports = store.reports.inTurn({ owner: key.id, isLong: false });
  const rows = await store.inTurn(key, () =>
    reports.all({ compile: () => statement.compile(reports.builder) } as Compilable<TagView>),
  );
  const items = rows.slice(0, query.limit).map(({ tag, tasks }) => ({ tag, tasks }));
  return { items, hasMore: rows.length > query.limit };
}
