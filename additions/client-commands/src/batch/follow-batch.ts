import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { RefusedFault } from '@darkroom-service/addition-common/commands/client-faults';
import { type BatchView, sleep, type TaskView } from '@darkroom-service/contract';
import {
  CommandFault,
  createProgressBar,
  inform,
  type OutputOptions,
  show,
  watchInterruption,
} from '@darkroom-service/darkroom/kernel-cli';
import { interruptedFault, withBatchId } from './batch-faults.ts';
import type { BatchFolder } from './batch-folder.ts';
import { createEstimate, describeBatch, describeProgress } from './describe-batch.ts';
import { readEndedOrders } from './ended-orders.ts';
import { batchPath, PATIENCE_MS } from './place-batch.ts';
import { saveResult } from './save-result.ts';

const PAUSE_MS = 1_000;
const PARALLEL_DOWNLOADS = 4;

interface Result {
  readonly name: string | null;
  readonly task_id: string;
}

/** Results of the orders of a batch so far. */
interface Results {
  readonly files: (Result & { readonly file: string })[];
  /** Orders that failed, were canceled, or succeeded without a file that could be saved. */
  readonly missing: (Result & { readonly status: TaskView['status']; readonly message: string })[];
}

/**
 * Saves each result of a batch as soon as it is ready, until the batch has ended. Ctrl-C ends the command, not the
 * batch.
 * @throws CommandFault unless every order has succeeded and is saved
 */
export async function followBatch(
  client: ApiClient,
  started: BatchView,
  folder: BatchFolder,
  options: OutputOptions,
): Promise<void> {
  const { batch_id: id } = started;
  const { signal, release } = watchInterruption();
  const bar = createProgressBar(options.json !== true);
  const ended = readEndedOrders(client, id, signal);
  const results: Results = { files: [], missing: [] };
  const secondsLeft = createEstimate();
  const miss = (task: TaskView, message: string) => {
    const { batch_name: name, task_id, status } = task;
    results.missing.push({ name, task_id, status, message });
    bar.clear();
    inform(options, `${name ?? task_id}: ${message}`);
  };
  try {
    let batch = started;
    for (;;) {
      const left = secondsLeft(batch);
      const draw = () => {
        const done = results.files.length + results.missing.length;
        bar.draw((done / batch.orders) * 100, describeProgress(batch, results.files.length, left));
      };
      draw();
      const tasks = ended.poll(batch);
      const saveNext = async () => {
        for await (const task of tasks) {
          await keep(task);
          draw();
        }
      };
      await Promise.all(Array.from({ length: PARALLEL_DOWNLOADS }, saveNext));
      if (batch.status !== 'processing') break;
      await sleep(PAUSE_MS, { signal });
      batch = await client.get<BatchView>(batchPath(id), { signal, patienceMs: PATIENCE_MS });
    }
    bar.clear();
    report(batch, results, folder, options);
  } catch (error) {
    bar.clear();
    if (error instanceof EndedFault) throw error;
    throw signal.aborted ? interruptedFault(id, folder.path) : withBatchId(error, id, folder.path);
  } finally {
    release();
  }

  async function keep(task: TaskView): Promise<void> {
    if (task.error !== null) return miss(task, `failed: ${task.error.message} (${task.error.code})`);
    if (task.status !== 'succeeded') return miss(task, 'canceled');
    const [output] = task.outputs;
    if (output === undefined) return miss(task, 'its files were erased');
    try {
      const file = await saveResult(client, folder, task, output, signal);
      results.files.push({ name: task.batch_name, task_id: task.task_id, file });
    } catch (error) {
      // Erased or deleted meanwhile.
      if (!(error instanceof RefusedFault && [404, 410].includes(error.status))) throw error;
      miss(task, error.message);
    }
  }
}

/** Fault of a batch that has ended without every order saved. */
class EndedFault extends CommandFault {}

function report(batch: BatchView, results: Results, folder: BatchFolder, options: OutputOptions): void {
  const document = { batch, ...results };
  const text = `${describeBatch(batch)}\n${results.files.length} of ${batch.orders} saved in ${folder.path}`;
  if (results.files.length < batch.orders) throw new EndedFault(text, { document });
  show(options, { json: document, text });
}
