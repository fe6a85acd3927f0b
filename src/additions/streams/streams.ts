import type { Addition } from '../../kernel.ts';

/** Streams of server-sent events that show tasks as they change, after each commit. */
export const STREAMS: Addition = {
  name: 'streams',
  serves: 'task_events',
  async http() {
    const [{ eventRoutes }, { taskStreamRoute }, { STREAM_OPERATIONS }] = await Promise.all([
      import('./event-routes.ts'),
      import('./task-stream-route.ts'),
      import('./stream-operations.ts'),
    ]);
    return {
      open: eventRoutes,
      v1: taskStreamRoute,
      operations: STREAM_OPERATIONS,
      behind: ['/v1/images/actions'],
    };
  },
};
