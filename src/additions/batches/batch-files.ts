import { extname } from 'node:path';
import type { Kernel, TaskRow } from '../../kernel.ts';
import { failureOf, outputsOf } from '../../kernel-views.ts';
import { archiveName, sameArchiveName } from './archive-name.ts';

const PAGE = 100;

/** An output of a task of a batch. */
interface BatchFile {
  readonly task: Pick<Row, 'id' | 'name'>;
  /** Name of the file, unique within the batch, also if case is ignored. */
  readonly fileName: string;
  readonly storageKey: string;
  readonly completedAt: number;
}

/** A task of a batch that has no output to deliver. */
export interface MissingFile {
  readonly task_id: string;
  readonly name: string | null;
  readonly status: TaskRow['status'];
  /** The failure code of a task that failed, `outputs_expired`, `not_final` or `canceled`. */
  readonly reason: string;
}

const COLUMNS = ['id', 'status', 'error_json', 'outputs_json', 'completed_at', 'erased_at'] as const;
type Row = Pick<TaskRow, (typeof COLUMNS)[number]> & { name: string | null };

/**
 * Yields the outputs of a batch, in the order of its list, and its tasks without one. Reads a page at a time. Deleted
 * tasks are omitted.
 */
export async function* batchFiles(
  { store: { read } }: Pick<Kernel, 'store'>,
  batchId: string,
): AsyncGenerator<BatchFile | MissingFile> {
  const taken = new Set<string>();
  for (let after = ''; ; ) {
    const page: Row[] = await read.all(
      read.builder
        .selectFrom('batch_orders')
        .innerJoin('tasks', 'tasks.id', 'task_id')
        .select([...COLUMNS, 'name'])
        .where('batch_id', '=', batchId)
        .where('task_id', '>', after)
        .where('deleted_at', 'is', null)
        .orderBy('task_id')
        .limit(PAGE),
    );
    for (const row of page) yield* filesOf(row, taken);
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? after;
  }
}

function* filesOf(row: Row, taken: Set<string>): Generator<BatchFile | MissingFile> {
  const outputs = row.status === 'succeeded' && row.erased_at === null ? outputsOf(row) : [];
  if (outputs.length === 0) {
    yield { task_id: row.id, name: row.name, status: row.status, reason: reasonOf(row) };
    return;
  }
  for (const [index, output] of outputs.entries()) {
    const number = index === 0 ? '' : `-${index + 1}`;
    const extension = extname(output.key);
    const name = archiveName(row.name ?? row.id);
    const wished = `${name}${number}${extension}`;
    // The id makes it unique.
    const fileName = taken.has(sameArchiveName(wished)) ? `${name}-${row.id}${number}${extension}` : wished;
    taken.add(sameArchiveName(fileName));
    yield { task: row, fileName, storageKey: output.key, completedAt: row.completed_at ?? 0 };
  }
}

function reasonOf(row: Row): string {
  if (row.status === 'queued' || row.status === 'processing') return 'not_final';
  if (row.status === 'succeeded') return 'outputs_expired';
  return row.status === 'failed' ? (failureOf(row)?.code ?? 'failed') : 'canceled';
}
