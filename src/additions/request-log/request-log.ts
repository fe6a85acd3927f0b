import type { Transaction } from '../../database/database.ts';
import type { Addition } from '../../service/addition.ts';
import type { CreateChores } from '../../tasks/chore.ts';
import { REQUEST_LOG_TABLES } from './request-log-tables.ts';
import { addRequestsCommand } from './requests-command.ts';

const TRIMMED_EVERY_MS = 60_000;

/** Lists the requests that keys sent lately, and how they were answered, for customers and operators. */
export const REQUEST_LOG: Addition = {
  name: 'request-log',
  tables: REQUEST_LOG_TABLES,
  hooks: {
    personalTables: [{ table: 'request_log', keyColumn: 'api_key_id', taskColumn: 'task_id' }],
    forgotten: forgetRequests,
  },
  chores: trimming,
  commands: addRequestsCommand,
  async http({ config, services, registry }, closers) {
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
    const { database, clock, createId, log } = services;
    const figures = createRequestLogMetrics(registry);
    const recorder = startRequestRecorder({ database, log, createId, now: () => clock.now(), figures });
    closers.defer(() => recorder.stop());
    return {
      everyRequest: (app) => recordRequests(app, config.requestLog, recorder),
      v1: requestRoutes,
      admin: adminRequestRoutes,
      operations: REQUEST_LOG_OPERATIONS,
      behind: ['/v1/account/ledger', '/admin/v1/signing_secrets/rotate'],
      namedOrders: { by: 'request', find: findRequest },
    };
  },
};

/** Removes what the keys of orders asked about them. */
async function forgetRequests(trx: Transaction, tasks: readonly string[]): Promise<void> {
  const { builder } = trx;
  // An index finds the requests of a key, and none those of a task.
  const keys = builder.selectFrom('tasks').select('api_key_id').where('id', 'in', tasks);
  await trx.run(builder.deleteFrom('request_log').where('api_key_id', 'in', keys).where('task_id', 'in', tasks));
}

function trimming(...[{ database, clock }, signal]: Parameters<CreateChores>): ReturnType<CreateChores> {
  let since = 0;
  const run = async () => {
    const { trimRequests } = await import('./trim-requests.ts');
    since = await trimRequests(database, { now: clock.now(), since, signal });
  };
  return [{ name: 'request log', everyMs: TRIMMED_EVERY_MS, run }];
}
