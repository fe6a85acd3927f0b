import {
  decodeReportCursor,
  encodeReportCursor,
  readSpan,
  spanOf,
} from '@darkroom-service/addition-common/http/report-span';
import { reportCosts } from '@darkroom-service/addition-common/operators/cost-report';
import { COST_GROUPS, COST_NOTES, type CostGroup, isoTime } from '@darkroom-service/contract';
import { closedObject, Instant, Word } from '@darkroom-service/contract/parts';
import {
  adminSchema,
  CostOrderPage,
  CostReport,
  Limit,
  readWordList,
  success,
  wordList,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { Type } from 'typebox';
import { listCostOrders } from './reports/cost-orders.ts';

/** Maximum number of rows of a page. */
const MOST_ROWS = 1_000;
/** Span above which there are thousands of sums by day. */
const MONTH_MS = 31 * 86_400_000;
const SPAN = {
  from: Type.Optional(Instant('a date or time; by default 30 days before to')),
  to: Type.Optional(Instant('a date or time, itself excluded; by default now')),
};
const CostQuery = closedObject({
  ...SPAN,
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
const OrderQuery = closedObject({
  ...SPAN,
  model_id: Type.Optional(Word),
  account_id: Type.Optional(Word),
  engine: Type.Optional(Word),
  note: Type.Optional(Type.Enum(COST_NOTES, { description: 'only orders that the cost report counts so' })),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the next_after of the page before' })),
});

/** Adds the operators' routes of earnings and costs of live orders, over all accounts. */
export function adminCostRoutes(admin: App, { clock, store }: Pick<ServingKernel, 'clock' | 'store'>): void {
  admin.get('/admin/v1/costs', { schema: { ...adminSchema(CostReport), querystring: CostQuery } }, async (request) => {
    const { limit = MOST_ROWS, after } = request.query;
    const groupBy = readWordList<CostGroup>(request.query.group_by);
    const cursor = after === undefined ? null : decodeReportCursor(after, groupBy);
    const { from, to } = readSpan(spanOf(request.query, cursor), clock.now(), cursor);
    const query = { from, to, groupBy, limit, after: cursor?.values ?? null };
    const reports = store.replica.reports.inTurn({ owner: null, isLong: to - from > MONTH_MS });
    const { items, last, hasMore } = await reportCosts(reports, query);
    const next = hasMore && last !== null ? encodeReportCursor({ from, to, values: last }) : null;
    const span = { from: isoTime(from), to: isoTime(to) };
    return success({ ...span, group_by: groupBy, items, limit, has_more: hasMore, next_after: next });
  });
  admin.get(
    '/admin/v1/costs/orders',
    { schema: { ...adminSchema(CostOrderPage), querystring: OrderQuery } },
    async (request) => {
      const { from, to, note = null, limit = 20, after = null, ...of } = request.query;
      const span = readSpan({ ...(from && { from }), ...(to && { to }) }, clock.now());
      const { reports } = store.replica;
      const { items, nextAfter } = await listCostOrders(reports, { ...span, of, note, limit, after });
      return success({ items, limit, has_more: nextAfter !== null, next_after: nextAfter });
    },
  );
}
