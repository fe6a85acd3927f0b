import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '@darkroom-service/contract';
import { loadPart, MachineFault } from '@darkroom-service/media/process';
import { SqliteConnection } from './node-sqlite.ts';
import type { ReadRows, ReportAnswer, ReportDatabase, ReportQuestion } from './report-messages.ts';
import { scanSlice, type TextRow } from './scan-texts.ts';

/**
 * Thread that runs slow reads and searches on a separate connection, so that they block no event loop. Started by
 * `thread-reports.ts`, which asks a thread one question at a time.
 */
let source: Promise<ReadRows> | null = null;

yieldToOthers();

parentPort?.on('message', async (question: ReportQuestion) => {
  parentPort?.postMessage(await answer(question));
});

/** Lowers this thread's priority on Linux, so that reports and searches leave the processor to orders on few cores. */
function yieldToOthers(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Other systems lack this path.
  }
}

/** Opens the database of the report thread, for reading only. */
async function openSource({ path, url, replicaUrl }: ReportDatabase): Promise<ReadRows> {
  if (url !== null) {
    // Imported only here: the embedded database needs no client.
    const { openPostgresReports } = await loadPart(() => import('./postgres-reports.ts'));
    return await openPostgresReports(url, replicaUrl);
  }
  const connection = new SqliteConnection(path, { readOnly: true, now: () => Date.now() });
  return async (sql, parameters) => connection.all(sql, parameters);
}

async function answer(question: ReportQuestion): Promise<ReportAnswer> {
  try {
    source ??= openSource(workerData as ReportDatabase);
    const read = await source.catch((error: unknown) => {
      source = null;
      throw error;
    });
    if (!('words' in question)) return { found: await read(question.sql, question.parameters) };
    return { found: await scanSlice(read as (...query: Parameters<ReadRows>) => Promise<TextRow[]>, question) };
  } catch (error) {
    // A file of the program is missing now: this thread ends, and the next question loads it in another one.
    if (error instanceof MachineFault) throw error;
    return { fault: (error as Error).message, code: error instanceof ServiceError ? error.code : null };
  }
}
