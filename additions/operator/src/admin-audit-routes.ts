import { Readable } from 'node:stream';
import { type ActFilter, exportActs, listActs } from '@darkroom-service/addition-common/operators/search-acts';
import { closedObject, Instant, pageOf } from '@darkroom-service/contract/parts';
import {
  AuditAct,
  adminSchema,
  ErrorAnswer,
  Limit,
  plainAnswer,
  readTimes,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';

const Filters = {
  actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'the id or the name of who made the change' }),
  ),
  act: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[a-z_]+(\\.[a-z_]+)?$',
      description: 'such as key.create, or key for all acts on keys',
    }),
  ),
  target: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'the id of what was changed' })),
  from: Type.Optional(Instant('ISO 8601, such as 2026-11-20T00:00:00Z')),
  to: Type.Optional(Instant('ISO 8601; itself excluded')),
};
const FilterQuery = closedObject(Filters);
const PageQuery = closedObject({
  ...Filters,
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the last audit_id of the page before' })),
});

/** Serves the audit log: searched a page at a time, or exported. */
export function adminAuditRoutes(admin: App, { store }: Pick<ServingKernel, 'store'>): void {
  admin.get(
    '/admin/v1/audit',
    { schema: { ...adminSchema(pageOf(AuditAct)), querystring: PageQuery } },
    async (request) => {
      const { limit = 20, after = null, ...sent } = request.query;
      const filter = readFilter(sent);
      // A search may read much; the newest entries are at the end of an index.
      const session = Object.keys(filter).length === 0 ? store.read : store.reports;
      const page = await listActs(session, { limit, after, filter });
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );

  admin.get(
    '/admin/v1/audit/export',
    {
      schema: {
        tags: ['Admin'],
        querystring: FilterQuery,
        response: { 200: plainAnswer('One entry per line, oldest first', ['application/jsonl']), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const filter = readFilter(request.query);
      reply.type('application/jsonl; charset=utf-8').header('cache-control', 'no-store');
      reply.header('content-disposition', 'attachment; filename="audit.jsonl"');
      if (request.method === 'HEAD') return reply.send();
      // Read as the caller reads, some hundred entries ahead.
      return reply.send(Readable.from(exportActs(store.reports, filter), { highWaterMark: 1 }));
    },
  );
}

/** @throws ServiceError `invalid_request` with every fault that the schema cannot see */
function readFilter({ from, to, ...exact }: Static<typeof FilterQuery>): ActFilter {
  const times = readTimes({ from, to });
  return {
    ...exact,
    ...(times.from === null ? {} : { from: times.from }),
    ...(times.to === null ? {} : { to: times.to }),
  };
}
