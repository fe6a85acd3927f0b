import type { Operation } from '../../kernel-http.ts';

const TASK = ['task_not_found', 'task_expired'] as const;

/** The documentation of the operations of streams, by method and path. */
export const STREAM_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/images/{task_id}/events': {
    roles: 'see_own_orders',
    id: 'streamImageEvents',
    summary: 'Stream the changes of an image task',
    description:
      'Server-sent events: the task at once, then at each change, until it is final. Needs the API key, or the signed URL in `urls.events` of the task.',
    errors: TASK,
  },
  'GET /v1/videos/{task_id}/events': {
    roles: 'see_own_orders',
    id: 'streamVideoEvents',
    summary: 'Stream the changes of a video task',
    description:
      'Server-sent events: the task at once, then at each change, until it is final. Needs the API key, or the signed URL in `urls.events` of the task.',
    errors: TASK,
  },
  'GET /v1/events': {
    roles: 'see_own_orders',
    id: 'streamTaskEvents',
    summary: 'Stream the changes of several tasks',
    description:
      'Server-sent events: each task at once, then at each change, also of its queue position, until all of them are final. Counts as one open stream for each task.',
    errors: TASK,
  },
};
