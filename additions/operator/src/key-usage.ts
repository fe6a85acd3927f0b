import { formatMicros, isoTime, type KeyUsageView, timeIdPrefix } from '@darkroom-service/contract';
import type { Kernel, Session } from '@darkroom-service/darkroom/kernel';
import { HAS_NOT_ENDED, selectOpenGroups } from '@darkroom-service/darkroom/kernel-accounts';
import { sql } from 'kysely';

const PREFIXES = { image: 'img', video: 'vid' } as const;
type TaskType = keyof typeof PREFIXES;
const TYPES = Object.keys(PREFIXES) as TaskType[];

/** Reads the spending of keys on orders placed since a time, their holds, and the time of each key's last order. */
export async function readKeyUsage(
  session: Session,
  hooks: Kernel['hooks'],
  keyIds: readonly string[],
  since: number,
): Promise<KeyUsageView[]> {
  const { builder } = session;
  // Ids sort by creation time, so the index finds the range of a type and skips older tasks.
  const placedSince = (type: TaskType) =>
    builder
      .selectFrom('tasks')
      .select(['api_key_id', 'charged'])
      .where('api_key_id', 'in', keyIds)
      .where('type', '=', type)
      .where('id', '>=', timeIdPrefix(PREFIXES[type], since));
  const spent = await session.all(
    builder
      .selectFrom(placedSince('image').unionAll(placedSince('video')).as('placed'))
      .select(['api_key_id', sql<number>`coalesce(sum(charged), 0)`.as('charged')])
      .groupBy('api_key_id'),
  );
  const open = await session.all(
    builder
      .selectFrom('tasks')
      .select(['api_key_id', sql<number>`sum(price)`.as('held')])
      .where('api_key_id', 'in', keyIds)
      .where('type', 'in', TYPES)
      .where(HAS_NOT_ENDED)
      .groupBy('api_key_id'),
  );
  // Orders of a group are held before they are tasks.
  const unplaced = await session.all(
    selectOpenGroups(session, hooks)
      .select(['api_key_id', sql<number>`sum(promised)`.as('held')])
      .where('api_key_id', 'in', keyIds)
      .groupBy('api_key_id'),
  );
  const lastOf = (type: TaskType) =>
    builder
      .selectFrom('tasks')
      .select('created_at')
      .where('tasks.api_key_id', '=', sql.ref<string>('api_keys.id'))
      .where('type', '=', type)
      .orderBy('tasks.id', 'desc')
      .limit(1);
  const keys = await session.all(
    builder
      .selectFrom('api_keys')
      .select(['api_keys.id', lastOf('image').as('image_at'), lastOf('video').as('video_at')])
      .where('api_keys.id', 'in', keyIds)
      .orderBy('api_keys.id'),
  );
  const sums = (rows: readonly { readonly api_key_id: string; readonly held: number }[]) =>
    new Map(rows.map((row) => [row.api_key_id, Number(row.held)]));
  const [charged, held, promised] = [
    new Map(spent.map((row) => [row.api_key_id, Number(row.charged)])),
    sums(open),
    sums(unplaced),
  ];
  return keys.map(({ id, image_at: image, video_at: video }) => {
    const last = Math.max(Number(image ?? 0), Number(video ?? 0));
    return {
      key_id: id,
      charged: formatMicros(charged.get(id) ?? 0),
      held: formatMicros((held.get(id) ?? 0) + (promised.get(id) ?? 0)),
      last_order_at: last === 0 ? null : isoTime(last),
    };
  });
}
