import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { RefusedFault, UnreachableFault } from '@darkroom-service/addition-common/commands/client-faults';
import {
  type BatchQuoteView,
  type BatchView,
  formatMicros,
  type Micros,
  parseMicros,
  world,
} from '@darkroom-service/contract';
import {
  CommandFault,
  inform,
  type OutputOptions,
  table,
  usageFault,
  watchInterruption,
} from '@darkroom-service/darkroom/kernel-cli';
import { typeFields } from '../model-fields.ts';
import { interruptedFault } from './batch-faults.ts';
import type { BatchFolder, BatchRecord } from './batch-folder.ts';
import { readOrders, uploadMedia } from './batch-orders.ts';

export interface NewBatchOptions extends PriceOptions {
  readonly maxParallel?: string;
  readonly webhookUrl?: string;
  /** Name of a destination. */
  readonly deliverTo?: string;
  readonly metadata?: string;
}

const JSON_LINES = { 'content-type': 'application/jsonl' };
/** Time for which requests are retried; longer than a restart of the service. */
export const PATIENCE_MS = 60_000;
/** Statuses of refusals that come after the service has looked up the Idempotency-Key: nothing was ordered under it. */
const AFTER_LOOKUP = [400, 402, 404, 409, 422];

export function batchPath(batchId: string): string {
  return `/v1/batches/${encodeURIComponent(batchId)}`;
}

/**
 * Finds the batch that was ordered into a folder, or orders it.
 * @param file null = only find it.
 * @throws CommandFault
 */
export async function findOrPlaceBatch(
  client: ApiClient,
  folder: BatchFolder,
  file: string | null,
  options: NewBatchOptions,
): Promise<BatchView> {
  const record = await folder.read();
  if (record === null && file === null)
    throw usageFault(`No batch was ordered into ${folder.path}. Name a file of orders, one per line.`);
  const given = file === null ? null : await readOrders(file);
  if (record === null) return await placeNew(client, folder, given!.text, given!.digest, options);
  if (given !== null && given.digest !== record.orders_sha256)
    throw new CommandFault(`Other orders were placed into ${folder.path} before. Name another folder for these.`);
  if (record.batch_id !== null)
    return await client.get<BatchView>(batchPath(record.batch_id), { patienceMs: PATIENCE_MS });
  if (record.service !== client.url || record.api_key_sha256 !== digestOf(client.apiKey))
    throw new CommandFault(
      `The batch in ${folder.path} may have been placed at ${record.service} with another API key or address. Go on with the same DARKROOM_URL and DARKROOM_API_KEY.`,
    );
  return await send(client, folder, record, false);
}

async function placeNew(
  client: ApiClient,
  folder: BatchFolder,
  text: string,
  digest: string,
  options: NewBatchOptions,
): Promise<BatchView> {
  const orders = await uploadMedia(client, text);
  const fields = fieldsOf(options);
  const quote = await client.upload<BatchQuoteView>(
    `/v1/batches/prices?${new URLSearchParams(fields)}`,
    new Blob([orders]),
    JSON_LINES,
  );
  const maxPrice = await agreeOnPrice(quote, options);
  const record: BatchRecord = {
    service: client.url,
    api_key_sha256: digestOf(client.apiKey),
    orders_sha256: digest,
    idempotency_key: world.randomUUID(),
    query: { ...fields, max_price: maxPrice },
    batch_id: null,
  };
  await folder.begin(record, orders);
  return await send(client, folder, record, true);
}

async function send(client: ApiClient, folder: BatchFolder, record: BatchRecord, isFirst: boolean): Promise<BatchView> {
  const { signal, release } = watchInterruption();
  try {
    const headers = { ...JSON_LINES, 'idempotency-key': record.idempotency_key };
    const path = `/v1/batches?${new URLSearchParams(record.query)}`;
    const batch = await client.upload<BatchView>(path, await folder.orders(record), headers);
    await folder.setPlaced(record, batch.batch_id);
    if (signal.aborted) throw interruptedFault(batch.batch_id, folder.path);
    return batch;
  } catch (error) {
    if (!(error instanceof CommandFault) || signal.aborted) throw error;
    if (isCertainlyNotPlaced(error, isFirst)) {
      await folder.forget(record);
      throw error;
    }
    const message = `${error.message}\nThe batch may have been placed. Run the same command again: it finds the batch, or places it once.`;
    throw new CommandFault(message, { cause: error, document: error.document });
  } finally {
    release();
  }
}

function isCertainlyNotPlaced(fault: CommandFault, isFirst: boolean): boolean {
  if (fault instanceof UnreachableFault) return isFirst && fault.refused;
  if (!(fault instanceof RefusedFault)) return false;
  return isFirst ? fault.status < 500 : AFTER_LOOKUP.includes(fault.status);
}

function fieldsOf({ maxParallel, webhookUrl, deliverTo, metadata }: NewBatchOptions): Record<string, string> {
  return {
    ...(maxParallel === undefined ? {} : { max_parallel: maxParallel }),
    ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
    ...(deliverTo === undefined ? {} : { deliver_to: JSON.stringify({ destination: deliverTo }) }),
    ...(metadata === undefined
      ? {}
      : { metadata: JSON.stringify(typeFields(new Map([['metadata', [metadata]]]), {}).metadata) }),
  };
}

function digestOf(apiKey: string | null): string {
  return createHash('sha256')
    .update(apiKey ?? '')
    .digest('hex');
}

interface PriceOptions extends OutputOptions {
  readonly maxPrice?: Micros;
  readonly yes?: boolean;
}

/**
 * Shows the price of a batch, and asks unless the options agree to it.
 * @returns the price that the order must not exceed.
 * @throws CommandFault if it is too expensive, or the person declines
 */
async function agreeOnPrice(quote: BatchQuoteView, options: PriceOptions): Promise<string> {
  const rows = quote.models.map((model) => [model.model_id, model.orders, model.amount]);
  const most = quote.exact ? '' : ' at most';
  const price = `${quote.amount} ${quote.currency}${most}`;
  inform(options, `${table(['MODEL', 'ORDERS', quote.currency], rows)}\n${countOf(quote.orders)}: ${price}`);
  const { maxPrice, yes = false } = options;
  if (maxPrice !== undefined) {
    const limit = formatMicros(maxPrice);
    if ((parseMicros(quote.amount) ?? 0) <= maxPrice) return limit;
    throw new CommandFault(`The batch costs ${price}, more than --max-price ${limit}. Nothing was ordered.`);
  }
  if (yes) return quote.amount;
  if (!process.stdin.isTTY || !process.stderr.isTTY || options.json === true) {
    throw usageFault(`The batch costs ${price}. Add --yes to order it, or --max-price with the most that it may cost.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Order the batch for ${price}? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return quote.amount;
  } finally {
    terminal.close();
  }
  throw new CommandFault('Nothing was ordered.');
}

function countOf(orders: number): string {
  return orders === 1 ? '1 order' : `${orders} orders`;
}
