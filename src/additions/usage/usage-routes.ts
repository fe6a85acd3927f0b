import {
  decodeReportCursor,
  encodeReportCursor,
  readSpan,
  spanOf,
} from '@darkroom-service/addition-common/http/report-span';
import { isoTime, isTimeZone, ServiceError, USAGE_GROUPS, type UsageGroup } from '@darkroom-service/contract';
import { closedObject, Instant, refTo } from '@darkroom-service/contract/parts';
import {
  ErrorAnswer,
  envelopeOf,
  readWordList,
  success,
  UsageReport,
  wordList,
} from '@darkroom-service/contract/schemas';
import { Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import { type App, Scope, scopeOf } from '../../kernel-http.ts';
import { readUsage } from './read-usage.ts';

/** Maximum number of rows of a page. */
const MOST_ROWS = 1_000;

const UsageQuery = closedObject({
  from: Type.Optional(Instant('a date or time; by default 30 days before to')),
  to: Type.Optional(Instant('a date or time, itself excluded; by default now')),
  group_by: Type.Optional(wordList(USAGE_GROUPS)),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      default: 'UTC',
      description: 'the IANA time zone, such as Europe/Berlin, of days and of dates in from and to',
    }),
  ),
  end_user: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'only tasks of this end user' })),
  timing: Type.Optional(
    Type.Enum(['true', 'false'], {
      default: 'false',
      description: 'also how long results took, as seconds, of at most 100,000 tasks',
    }),
  ),
  scope: Scope,
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

/** Adds the report of the tasks of the calling key, or of its account, and of what they cost. */
export function usageRoutes(v1: App, kernel: ServingKernel): void {
  const { clock, http, store } = kernel;
  v1.get(
    '/v1/account/usage',
    {
      schema: {
        tags: ['Account'],
        querystring: UsageQuery,
        response: { 200: envelopeOf(refTo(UsageReport)), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const key = http.caller(request);
      const { limit = MOST_ROWS, after, timing, timezone = 'UTC' } = request.query;
      if (!isTimeZone(timezone)) throw unknownTimeZone(timezone);
      const scope = scopeOf(key, request.query.scope);
      const groupBy = readWordList<UsageGroup>(request.query.group_by);
      const cursor = after === undefined ? null : decodeReportCursor(after, groupBy);
      const asked = readSpan(spanOf(request.query, cursor), clock.now(), cursor, timezone);
      http.budgets(reply, key, ['reports']);
      const query = {
        ...asked,
        groupBy,
        timezone,
        scope,
        timing: timing === 'true',
        limit,
        endUser: request.query.end_user ?? null,
        after: cursor?.values ?? null,
      };
      const page = await store.inTurn({ id: key.id }, () => readUsage(kernel, key, query));
      const { from, to, items, last, hasMore } = page;
      const next = hasMore && last !== null ? encodeReportCursor({ from, to, values: last }) : null;
      const span = { from: isoTime(from), to: isoTime(to) };
      return success({ ...span, group_by: groupBy, scope, items, limit, has_more: hasMore, next_after: next });
    },
  );
}

function unknownTimeZone(name: string): ServiceError {
  return new ServiceError(
    'invalid_request',
    `'timezone' must be the name of a time zone such as Europe/Berlin or UTC; found '${name}'.`,
    { param: 'timezone' },
  );
}
