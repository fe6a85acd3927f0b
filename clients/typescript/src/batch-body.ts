import type { BatchEntry, BatchOrder } from './generated/interface.ts';

/** The orders of a batch: a list, anything that yields them, or a file with one order per line (JSON lines). */
export type BatchOrders =
  | Iterable<BatchEntry>
  | AsyncIterable<BatchEntry>
  /** A path or file URL (not in browsers), or a Blob. */
  | string
  | URL
  | Blob;

export type NewBatch = Omit<BatchOrder, 'orders'> & { readonly orders: BatchOrders };

/** The body of a request for a batch. It is read to its end first, so that each attempt sends the same bytes. */
export interface BatchBody {
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: object;
}

export async function bodyOf({ orders, ...fields }: NewBatch): Promise<BatchBody> {
  if (typeof orders === 'string' || orders instanceof URL || orders instanceof Blob) {
    const { metadata, ...others } = fields;
    const query = { ...others, ...(metadata == null ? {} : { metadata: JSON.stringify(metadata) }) };
    return { body: await blobOf(orders), headers: { 'content-type': 'application/jsonl' }, query };
  }
  const entries: string[] = [];
  for await (const entry of orders) entries.push(JSON.stringify(entry));
  const whole = JSON.stringify({ ...fields, orders: [] });
  const body = new Blob([whole.slice(0, -2), entries.join(','), ']}']);
  return { body, headers: { 'content-type': 'application/json' }, query: {} };
}

async function blobOf(file: string | URL | Blob): Promise<Blob> {
  if (file instanceof Blob) return file;
  const { readFileAsBlob } = await import('#local-files');
  return await readFileAsBlob(file);
}
