import { LoggedRequestPage } from '@darkroom-service/contract/logged-request';
import { closedObject } from '@darkroom-service/contract/parts';
import { listRequests } from '../accounts/requests/list-requests.ts';
import { ErrorAnswer } from './answers.ts';
import { callerOf } from './authenticate.ts';
import { envelopeOf, success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { REQUEST_FILTERS, readRequestFilters } from './request-query.ts';

/** The requests that the calling key sent lately. */
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
      const { items, nextAfter } = await listRequests(services.database.replica.read, query);
      return success({ items, limit: query.limit, has_more: nextAfter !== null, next_after: nextAfter });
    },
  );
}
