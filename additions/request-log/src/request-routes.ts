import { closedObject } from '@darkroom-service/contract/parts';
import { adminSchema, ErrorAnswer, envelopeOf, LoggedRequestPage, success } from '@darkroom-service/contract/schemas';
import type { Kernel, ServingKernel, Session } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
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
export function requestRoutes(v1: App, { http, store }: Pick<ServingKernel, 'http' | 'store'>): void {
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
      const query = { ...readRequestFilters(request.query), keyId: http.caller(request).id, accountId: null };
      return success(await readPage(store.replica.read, query));
    },
  );
}

/** Serves `GET /admin/v1/requests`: the recent requests of keys. */
export function adminRequestRoutes(admin: App, { store }: Pick<Kernel, 'store'>): void {
  admin.get(
    '/admin/v1/requests',
    { schema: { ...adminSchema(LoggedRequestPage), querystring: AdminQuery } },
    async (request) => {
      const { key_id: keyId = null, account_id: accountId = null, task_id: taskId = null } = request.query;
      const query = { ...readRequestFilters(request.query), keyId, accountId, taskId };
      return success(await readPage(store.replica.reports, query));
    },
  );
}

async function readPage(session: Session, query: RequestQuery) {
  const { items, nextAfter } = await listRequests(session, query);
  return { items, limit: query.limit, has_more: nextAfter !== null, next_after: nextAfter };
}
