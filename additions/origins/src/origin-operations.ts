import type { Operation } from '@darkroom-service/darkroom/kernel-http';

/** The operations of origins, by method and path. */
export const ORIGIN_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/provenance': {
    roles: 'see_all_orders',
    id: 'findOrigin',
    summary: 'Find the task of a file by its hash',
    description:
      "Answers with the task if it is this key's, or the account's for a key that may see the whole account; otherwise 404. If the operator allows it, everybody learns that this service made a file and when, also without a key. A file that was changed, and one whose task was erased, is not found.",
    errors: ['not_found'],
  },
  'POST /v1/provenance': {
    roles: 'see_all_orders',
    id: 'findOriginOfFile',
    summary: 'Find the task of a file',
    description: 'The same for the file itself, which is hashed as it arrives and not stored.',
    errors: ['body_too_large', 'unsupported_media_type', 'not_found'],
  },
  'GET /admin/v1/provenance': {
    roles: 'observe',
    id: 'findOriginAsOperator',
    summary: 'Find the task of a file by its hash, of any account',
    description: 'The first task with this output. `GET /admin/v1/tasks/{task_id}` tells whose it is.',
    errors: ['not_found'],
  },
};
