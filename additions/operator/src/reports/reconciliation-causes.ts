import {
  formatMicros,
  type ModeFilter,
  parseMicros,
  type ReconciliationCauseView,
  type ReconciliationView,
} from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { causeOf } from './failure-causes.ts';
import { listReconciliation } from './reconciliation.ts';

/** Number of newest entries that are grouped. */
const MOST_ENTRIES = 5_000;
const MOST_NAMES = 5;
/** Maximum number of ids of a cause: as many as one request resolves. */
const MOST_IDS = 100;

/** Groups the entries that nobody has resolved by engine, kind and wording, the most frequent first. */
export async function reportUnresolved(session: Session, mode: ModeFilter): Promise<ReconciliationCauseView[]> {
  const query = { resolved: false, mode, engine: null, limit: MOST_ENTRIES, after: null } as const;
  const { items } = await listReconciliation(session, query);
  const groups = Map.groupBy(items, ({ engine, kind, detail }) => JSON.stringify([engine, kind, wordsOf(detail)]));
  return [...groups.values()].flatMap((group) => viewOf(group) ?? []).sort((a, b) => b.orders - a.orders);
}

/** @param group at least one entry, the latest first */
function viewOf(group: readonly ReconciliationView[]): ReconciliationCauseView | null {
  const [example] = group;
  const oldest = group.at(-1);
  if (example === undefined || oldest === undefined) return null;
  return {
    kind: example.kind,
    engine: example.engine,
    cause: wordsOf(example.detail),
    orders: group.length,
    price: formatMicros(group.reduce((sum, { price }) => sum + (parseMicros(price) ?? 0), 0)),
    customers: [...new Set(group.map(({ account_name: name }) => name))].slice(0, MOST_NAMES),
    models: [...new Set(group.map(({ model_id: model }) => model))].slice(0, MOST_NAMES),
    ids: group.slice(0, MOST_IDS).map(({ reconciliation_id: id }) => id),
    oldest_at: oldest.created_at,
    newest_at: example.created_at,
    example,
  };
}

function wordsOf({ message }: ReconciliationView['detail']): string {
  return causeOf(typeof message === 'string' ? message : '');
}
