import { Instant } from '@darkroom-service/contract/parts';
import { Limit, readTimes } from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { RequestQuery } from './list-requests.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const OneTime = Type.Optional(Instant('ISO 8601, such as 2026-11-20T00:00:00Z'));

/** The filters of lists of requests. */
export const REQUEST_FILTERS = {
  status: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^([1-5][0-9][0-9]|[1-5]xx|failed)$',
      description: 'a status such as 404, a class such as 4xx, or failed: 400 and above',
    }),
  ),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'the code of an error' })),
  method: Type.Optional(Type.Enum(METHODS)),
  since: OneTime,
  until: Type.Optional(Instant('ISO 8601; itself excluded')),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the next_after of the page before: older ones' })),
};
const Filters = Type.Object(REQUEST_FILTERS);

/** Reads the filters of the request log. @throws ServiceError with every fault that the schema cannot see. */
export function readRequestFilters(sent: Static<typeof Filters>): Omit<RequestQuery, 'keyId' | 'accountId'> {
  const { since, until } = sent;
  return {
    status: sent.status ?? null,
    code: sent.code ?? null,
    method: sent.method ?? null,
    ...readTimes({ since, until }),
    limit: sent.limit ?? 20,
    after: sent.after ?? null,
  };
}
