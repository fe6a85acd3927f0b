import { rm } from 'node:fs/promises';
import type { DeliveredOutput, Delivery } from '@darkroom-service/engines';
import { addressWithoutSecrets, MediaFault } from '@darkroom-service/media';
import { otherThing } from '../../catalog/conformity/judge-delivery.ts';
import { priceListsOf } from '../../catalog/pricing/price-floor.ts';
import { cacheBytes } from '../../record/cached-bytes.ts';
import { priceListOf } from '../../record/price-lists.ts';
import type { StoredOutput } from '../../record/task.ts';
import type { ClaimedTask } from '../claimed-task.ts';
import { OutputFault } from '../output-fault.ts';
import type { CollectEvent } from './collected.ts';
import { compareResult } from './compare.ts';
import { asOutputFault } from './download.ts';
import { examineOutput } from './examine.ts';
import { type Collecting, fetchOutput } from './fetch.ts';
import { markOutput } from './mark.ts';
import { removeOutputs, storeOutput } from './store.ts';

/** Maximum number of files tried of an engine that delivers other files beside the ordered one, such as previews. */
const MOST_TRIED = 4;

/**
 * Collects a result: copies its output into our storage, compares it with the order, and asks interceptors. The row
 * keeps its step: after a crash the order is found as it was before its result came, and only the settlement says that
 * it has one.
 * @throws errors that are not caused by the outputs themselves
 */
export async function collect(claimed: ClaimedTask, delivery: Delivery): Promise<CollectEvent> {
  using _ = claimed.named('collect', 'collect');
  const { work, signal, task } = claimed;
  const { catalog, database, log } = work.services;
  claimed.submission.reportedCost = delivery.upstreamCost;
  claimed.collections++;
  try {
    const outputs = await collectOrdered(claimed, delivery.outputs);
    const model = catalog().find(task.model_id);
    const { tariff } = task.quote;
    const pricing = tariff === null ? null : await priceListOf(database, tariff.digest, priceListsOf(model));
    const further = Math.max(0, delivery.outputs.length - outputs.length);
    const verdict = compareResult(task, { model, pricing }, outputs, { further, named: delivery.named ?? {} });
    const { beforeSuccess } = work.interceptors;
    const isAsked = beforeSuccess !== null && verdict.isAsOrdered;
    const refusal = isAsked ? await beforeSuccess(task, outputs, signal) : null;
    return { type: 'collected', delivery, outputs, verdict, refusal };
  } catch (error) {
    const fault = asOutputFault(error);
    if (!(fault instanceof MediaFault || fault instanceof OutputFault)) throw fault;
    const mayPass = fault instanceof OutputFault && fault.retryable;
    if (mayPass) {
      work.checks.record(task, 'result', fault.message);
      log.warn({ err: fault, task_id: task.id, attempts: task.attempts + 1 }, 'could not read the result');
    }
    const address = addressOf(delivery.outputs);
    return { type: 'collect_failed', delivery, message: fault.message, error: fault, mayPass, address };
  }
}

/** Collects the first output that is of the ordered kind; the first of all if none is. A task has one output. */
async function collectOrdered(
  { work, task, signal, collections }: ClaimedTask,
  delivered: readonly DeliveredOutput[],
): Promise<readonly StoredOutput[]> {
  let first: StoredOutput | null = null;
  for (const [index, output] of delivered.slice(0, MOST_TRIED).entries()) {
    const stored = await work.services.tracer.span('download', () =>
      collectOutput({ work, task, output, index, signal, collections }),
    );
    const isOrdered = otherThing(task.request.type, stored) === null;
    const left = isOrdered ? first : first === null ? null : stored;
    if (left !== null) await removeOutputs(work.services.storage, [left]);
    if (isOrdered) return [stored];
    first ??= stored;
  }
  return first === null ? [] : [first];
}

/**
 * Takes a delivered output through the steps: fetch, examine, mark, store. They pass its bytes on as they come, so the
 * measurements are known, and can be compared, once the file is stored.
 * @throws StorageError, MediaFault, OutputFault; FetchFault if a download breaks off
 */
async function collectOutput(collecting: Collecting): Promise<StoredOutput> {
  await using files = new AsyncDisposableStack();
  const fetched = await fetchOutput(collecting, files);
  const examined = await examineOutput(collecting, fetched);
  const { contentType, thumbnail, preview } = examined;
  const { kept, data } = await markOutput(collecting, examined, (bytes, check) =>
    storeOutput(collecting, null, bytes, { contentType, ...(check === undefined ? {} : { check }) }),
  );
  const beside = async (shows: 'thumbnail' | 'preview', picture: Uint8Array | null) =>
    picture === null ? null : (await storeOutput(collecting, shows, picture, { contentType: 'image/webp' })).key;
  const thumbnailKey = await beside('thumbnail', thumbnail);
  const previewKey = await beside('preview', preview);
  const { tiles, seed, revisedPrompt, explanation } = collecting.output;
  const output = {
    ...kept,
    contentType,
    ...examined.measured(),
    thumbnailKey,
    ...(previewKey === null ? {} : { previewKey }),
    tiles,
    seed,
    revisedPrompt,
    ...(explanation === undefined ? {} : { explanation }),
  };
  if (data !== null) cacheBytes(output, data);
  return output;
}

/** Returns the address of the result, for the operator; null if it came inside the answer. */
export function addressOf([first]: readonly DeliveredOutput[]): string | null {
  return first !== undefined && 'url' in first.source ? addressWithoutSecrets(first.source.url) : null;
}

/** Removes delivered files that will not be collected. */
export async function discardDelivery(outputs: readonly DeliveredOutput[]): Promise<void> {
  for (const { source } of outputs) if ('path' in source) await rm(source.path, { force: true });
}
