import type { Operation } from '@darkroom-service/darkroom/kernel-http';

/** The documentation of the operations of the request log, by method and path. */
export const REQUEST_LOG_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/requests': {
    roles: 'see_own_orders',
    id: 'listRequests',
    summary: 'List the requests of your key',
    description:
      'Newest first, and how each was answered: no queries, bodies or headers are kept. By default successful reads are left out. An entry appears about a second after the answer. Page with `next_after`.',
  },
  'GET /admin/v1/requests': {
    roles: 'observe',
    id: 'adminListRequests',
    summary: 'List the requests of keys',
    description:
      'Newest first, and how each was answered: no queries, bodies or headers are kept. By default successful reads are left out. Entries are kept for 7 days, and the last 2,000 of each key. Page with `next_after`.',
  },
};
