import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from './node-sqlite.ts';
import type { ReportAnswer, ReportQuestion } from './sqlite-reports.ts';

/**
 * Thread that runs slow reads on a separate connection, so that they block no event loop. Started by
 * `sqlite-reports.ts`.
 */
const { path } = workerData as { readonly path: string };
const connection = new SqliteConnection(path, { readOnly: true, now: () => Date.now() });

parentPort?.on('message', ({ sql, parameters }: ReportQuestion) => {
  parentPort?.postMessage(answer(sql, parameters));
});

function answer(sql: string, parameters: readonly unknown[]): ReportAnswer {
  try {
    return { rows: connection.all(sql, parameters) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
