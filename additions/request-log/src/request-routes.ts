import { closedObject } from '@darkroom-service/contract/parts';
import { adminSchema, ErrorAnswer, envelopeOf, LoggedRequestPage, success } from '@darkroom-service/contract/schemas';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { type App, callerOf, type HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import { Type } from 'typebox';
import { listRequests, type RequestQuery } from './list-requests.ts';
import { REQUEST_FILTERS, readRequestFilters } from './request-filters.ts';

const AdminQuery = closedObject({
  key_id: Type.Optional(Type.String({ maxLength: 64 })),
  account_id: Type.Optional(Type.String({ maxLength: 64 })),
  task_id: Type.Optional(Type.String({ maxLength: 64, description: 'with `key_id`: that of the order' })),
  ...REQUEST_FILTERS,
});

/** Serves `GET /v1/requests`: the recent requests of the calling key. */
export function requestRoutes(v1: App, { services }: Pick<HttpOptions, 'services'>): void {
  v1.get(
    '/v1/requests',
    {
      schema: {
        tags: ['Account'],
        querystring: closedObject(REQUEST_FILTERS),
        response: { 200: envelopeOf(LoggedRequestPage), ...ErrorAnswer },
      },
    },
    async (request) => {
      const query = { ...readRequestFilters(request.query), keyId: callerOf(request).id, accountId: null };
      return success(await readPage(services.database.replica.read, query));
    },
  );
}

/** Serves `GET /admin/v1/requests`: the recent requests of keys. */
export function adminRequestRoutes(admin: App, { services }: Pick<HttpOptions, 'services'>): void {
  admin.get(
    '/admin/v1/requests',
    { schema: { ...adminSchema(LoggedRequestPage), querystring: AdminQuery } },
    async (request) => {
      const { key_id: keyId = null, account_id: accountId = null, task_id: taskId = null } = request.query;
      const query = { ...readRequestFilters(request.query), keyId, accountId, taskId };
      return success(await readPage(services.database.replica.reports, query));
    },
  );
}

async function readPage(session: Session, query: RequestQuery) {
  const { items, nextAfter } = await listRequests(session, query);
  return { items, limit: query.limit, has_more: nextAfter !== null, next_after: nextAfter };
}
