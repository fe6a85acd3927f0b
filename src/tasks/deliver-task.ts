import type { ResolvedRequest } from '../catalog/model.ts';
import type { Delivery } from '../engines/engine.ts';
import { MediaFault } from '../media/media-fault.ts';
import { settleAmount } from '../pricing/quote.ts';
import { collectOutputs, discardDelivery } from './collect-outputs.ts';
import { asOutputFault, OutputFault } from './fetch-output.ts';
import { moveTask } from './move-task.ts';
import { measurementsOf } from './order-media.ts';
import { settleTask } from './settle-task.ts';
import type { StoredOutput, TaskMedia, TaskRow } from './task.ts';
import { untilItCan } from './until-it-can.ts';
import type { Held, WorkerDesk } from './worker-desk.ts';

const OUTPUT_ATTEMPTS = 5;

/** Brings a finished order home, for an engine that can be asked for it again. */
export async function deliverTask(work: WorkerDesk, task: TaskRow, delivery: Delivery, held: Held): Promise<void> {
  await bringHome(work, task, delivery, held).finally(() => discardDelivery(delivery.outputs));
}

/** The same for a result that is handed out only once: it is kept at hand until storage and database can take it. */
export async function deliverAtHand(work: WorkerDesk, task: TaskRow, delivery: Delivery, held: Held): Promise<void> {
  await untilItCan(work, task, held, () => bringHome(work, task, delivery, held)).finally(() =>
    discardDelivery(delivery.outputs),
  );
}

/** Files into our storage, moderation asked, and only then `succeeded`, charged by what was measured. */
async function bringHome(work: WorkerDesk, task: TaskRow, delivery: Delivery, held: Held): Promise<void> {
  const { desk } = work;
  try {
    const collecting = await moveTask(desk, 'collecting', task, 'collecting');
    const outputs = await collectOutputs(work, collecting, delivery.outputs, held.signal);
    const reason = await askModeration(work, collecting, outputs, held.signal);
    if (reason !== null) {
      await settleTask(desk, 'settle_failed', collecting, {
        status: 'failed',
        failure: { code: 'content_policy', message: reason },
      });
      return await removeOutputs(work, outputs);
    }
    const settled = await settleTask(desk, 'settle_succeeded', collecting, {
      status: 'succeeded',
      outputs,
      keep: delivery.keep === undefined ? null : JSON.stringify(delivery.keep),
      charge: chargeOf(collecting, outputs),
    });
    if (!settled) await removeOutputs(work, outputs);
  } catch (fault) {
    const error = asOutputFault(fault);
    if (!(error instanceof MediaFault) && !isFinalFault(error, task)) throw error;
    desk.log.warn({ err: error, task_id: task.id }, 'what the engine delivered cannot be brought home');
    await settleTask(desk, 'settle_failed', task, {
      status: 'failed',
      failure: { code: 'upstream_error', message: `The result cannot be used: ${(error as Error).message}.` },
    });
  }
}

/** What may pass is tried again, each time where the engine then says that the result lies. */
function isFinalFault(error: unknown, task: TaskRow): boolean {
  return error instanceof OutputFault && (!error.retryable || task.attempts + 1 >= OUTPUT_ATTEMPTS);
}

/** Exactly the quote where it was exact, else what was measured, never more than the hold. */
function chargeOf(task: TaskRow, outputs: readonly StoredOutput[]) {
  const lines = JSON.parse(task.lines_json);
  if (task.price_basis_json === null) return { amount: task.price, lines };
  const request = JSON.parse(task.request_json) as ResolvedRequest;
  const media = task.media_json === null ? [] : (JSON.parse(task.media_json) as TaskMedia[]);
  const quote = { amount: task.price, exact: false, lines, basis: JSON.parse(task.price_basis_json) };
  const durationSeconds = outputs[0]?.durationSeconds ?? request.output.durationSeconds;
  return settleAmount(quote, { ...request, output: { ...request.output, durationSeconds } }, measurementsOf(media));
}

async function askModeration(
  work: WorkerDesk,
  task: TaskRow,
  outputs: readonly StoredOutput[],
  signal: AbortSignal,
): Promise<string | null> {
  if (work.moderation === null) return null;
  const urls = outputs.map((output) => work.desk.signer.sign(output.key).url);
  return await work.moderation.judge(
    { stage: 'output', task_id: task.id, model_id: task.model_id, end_user: task.end_user, prompt: null, urls },
    signal,
  );
}

async function removeOutputs(work: WorkerDesk, outputs: readonly StoredOutput[]): Promise<void> {
  for (const { key, thumbnailKey, previewKey = null } of outputs)
    for (const each of [key, thumbnailKey, previewKey]) if (each !== null) await work.desk.storage.remove(each);
}
