import { isoTime } from '@darkroom-service/contract/clock';
import { CostReport } from '@darkroom-service/contract/cost';
import { closedObject, Instant } from '@darkroom-service/contract/parts';
import { COST_GROUPS, type CostGroup } from '@darkroom-service/contract/words';
import { Type } from 'typebox';
import { decodeUsageCursor, encodeUsageCursor } from '../../accounts/usage-cursor.ts';
import { reportCosts } from '../../operations/cost-report.ts';
import { success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { readSpan, spanOf } from '../read-span.ts';
import { readWordList, wordList } from '../word-list.ts';
import { adminSchema } from './admin-schema.ts';

/** Of one page. */
const MOST_ROWS = 1_000;
const CostQuery = closedObject({
  from: Type.Optional(Instant('a date or time; by default 30 days before to')),
  to: Type.Optional(Instant('a date or time, itself excluded; by default now')),
  group_by: Type.Optional(wordList(COST_GROUPS)),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: MOST_ROWS, description: 'rows at most' }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'the next_after of the page before: the rows after it, of the same span',
    }),
  ),
});

/** What live orders of all accounts earned and cost. */
export function adminCostRoutes(admin: App, { services }: HttpOptions): void {
  admin.get('/admin/v1/costs', { schema: { ...adminSchema(CostReport), querystring: CostQuery } }, async (request) => {
    const { limit = MOST_ROWS, after } = request.query;
    const groupBy = readWordList<CostGroup>(request.query.group_by);
    const cursor = after === undefined ? null : decodeUsageCursor(after, groupBy);
    const { from, to } = readSpan(spanOf(request.query, cursor), services.clock.now(), cursor);
    const query = { from, to, groupBy, limit, after: cursor?.values ?? null };
    const { items, last, hasMore } = await reportCosts(services.database.replica.reports, query);
    const next = hasMore && last !== null ? encodeUsageCursor({ from, to, values: last }) : null;
    const span = { from: isoTime(from), to: isoTime(to) };
    return success({ ...span, group_by: groupBy, items, limit, has_more: hasMore, next_after: next });
  });
}
