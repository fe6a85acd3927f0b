import type { Addition } from '../../kernel.ts';

/** Streams of server-sent events that show tasks as they change, after each commit. */
export const STREAMS: Addition = {
  name: 'streams',
  serves: 'task_events',
  open: () => ({
    async http(kernel) {
      const [{ eventRoutes }, { taskStreamRoute }, { STREAM_OPERATIONS }] = await Promise.all([
        import('./event-routes.ts'),
        import('./task-stream-route.ts'),
        import('./stream-operations.ts'),
      ]);
      return {
        open: (open, _options, tools) => eventRoutes(open, kernel, tools),
        v1: (v1, _options, tools) => taskStreamRoute(v1, kernel, tools),
        operations: STREAM_OPERATIONS,
        behind: ['/v1/images/actions'],
      };
    },
  }),
};
