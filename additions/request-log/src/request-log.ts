import { type Addition, defineSettings, oneOf } from '@darkroom-service/darkroom/kernel';
import { loadPart } from '@darkroom-service/media/process';
import { REQUEST_LOG_TABLES } from './request-log-tables.ts';
import { addRequestsCommand } from './requests-command.ts';

/** Settings of the request log: the kinds of requests that it keeps. */
const REQUEST_LOG_SETTINGS = defineSettings({
  variables: {
    DARKROOM_REQUEST_LOG: oneOf(
      ['all', 'changes', 'failures', 'off'],
      'Which requests the [request log](operating.md#see-what-a-key-sent) keeps: `changes` leaves out successful reads, `failures` keeps errors only.',
      'changes',
    ),
  },
  read: ({ DARKROOM_REQUEST_LOG: kept }) => kept,
});

const TRIMMED_EVERY_MS = 60_000;

/** Lists the recent requests of keys, and their answers, for customers and operators. */
export const REQUEST_LOG: Addition = {
  name: 'request-log',
  settings: REQUEST_LOG_SETTINGS,
  tables: REQUEST_LOG_TABLES,
  hooks: {
    personalTables: [{ table: 'request_log', keyColumn: 'api_key_id', taskColumn: 'task_id' }],
  },
  chores({ store, clock }, signal) {
    let since = 0;
    const run = async () => {
      const { trimRequests } = await loadPart(() => import('./trim-requests.ts'));
      since = await trimRequests(store, { now: clock.now(), since, signal });
    };
    return [{ name: 'request log', everyMs: TRIMMED_EVERY_MS, run }];
  },
  commands: addRequestsCommand,
  open: (_kernel, closers) => ({
    async http(kernel) {
      const [
        { recordRequests },
        { startRequestRecorder },
        { createRequestLogMetrics },
        { requestRoutes, adminRequestRoutes },
        { REQUEST_LOG_OPERATIONS },
        { findRequest },
      ] = await Promise.all([
        import('./record-requests.ts'),
        import('./request-recorder.ts'),
        import('./request-log-metrics.ts'),
        import('./request-routes.ts'),
        import('./request-log-operations.ts'),
        import('./find-request.ts'),
      ]);
      const { clock, log, settings, store } = kernel;
      const figures = createRequestLogMetrics(kernel.figures);
      const recorder = startRequestRecorder({ store, log, now: () => clock.now(), figures });
      closers.defer(() => recorder.stop());
      return {
        everyRequest: (app) => recordRequests(app, kernel.http.answers, settings.of(REQUEST_LOG_SETTINGS), recorder),
        v1: (v1) => requestRoutes(v1, kernel),
        admin: (admin) => adminRequestRoutes(admin, kernel),
        operations: REQUEST_LOG_OPERATIONS,
        behind: ['/v1/account/ledger', '/admin/v1/signing_secrets/rotate'],
        namedOrders: { by: 'request', find: findRequest },
      };
    },
  }),
};
