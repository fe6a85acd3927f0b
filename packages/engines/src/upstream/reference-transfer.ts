import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { EngineError, type Order, type OrderMedia } from '../engine.ts';
import { bytesOf } from './bytes-of.ts';
import { type ReadableTypes, readablePicture } from './readable-picture.ts';

/**
 * Gives the upstream one medium and returns the text that refers to it in the order.
 * @param count number of media in the order.
 * @throws EngineError; nothing was ordered yet, regardless of its `took`.
 */
export type ReferenceTransfer = (media: OrderMedia, signal: AbortSignal, count: number) => Promise<string>;

export interface TransferWays {
  /** The picture types that the upstream reads, if not all that we accept; others are converted. */
  readonly pictures?: ReadableTypes;
  /** The maximum bytes of a file inlined in the order; 0 = never. */
  readonly inline: number;
  /** Inlines plain base64 instead of a data URI. */
  readonly bare?: boolean;
  /** The maximum bytes of all inlined media of an order; no such limit if absent. */
  readonly inlineTogether?: number;
  /** Whether the upstream fetches media from our signed URL, if it can reach that. */
  readonly byAddress: boolean;
  /** Uploads a file to the upstream and returns its name there. */
  readonly upload?: ReferenceTransfer;
}

/** Creates a hand-over: inline if small enough, else by our URL if the upstream can reach it, else by upload. */
export function createReferenceTransfer(ways: TransferWays): ReferenceTransfer {
  const { pictures, inline, inlineTogether, bare = false, byAddress, upload } = ways;
  return async (given, signal, count) => {
    const most = Math.min(inline, Math.floor((inlineTogether ?? Number.POSITIVE_INFINITY) / count));
    const media = pictures === undefined ? given : await readablePicture(given, pictures, most);
    if (media.bytes <= most) return bare ? (await bytesOf(media)).toString('base64') : await dataUriOf(media);
    if (byAddress && media.url !== null) return media.url;
    if (upload !== undefined) return await upload(media, signal, count);
    throw new EngineError('invalid_input', `${media.field}: ${whyNot(media, most, byAddress)}`, {
      took: 'no',
      elsewhere: true,
    });
  };
}

function whyNot({ bytes }: OrderMedia, most: number, byAddress: boolean): string {
  const size = `expected a file of at most ${most} bytes, found ${bytes}: a larger one cannot be handed to the upstream`;
  if (!byAddress) return `${size}.`;
  const address = 'DARKROOM_PUBLIC_URL is an address that the upstream can reach';
  return most === 0
    ? `the upstream fetches it itself, so it is taken only where ${address}.`
    : `${size}, unless ${address}.`;
}

async function dataUriOf(media: OrderMedia): Promise<string> {
  return `data:${media.contentType};base64,${(await bytesOf(media)).toString('base64')}`;
}

/** Hands each medium over once and returns the order's values with the resulting references. */
export async function transferMedia(
  order: Order,
  handOver: ReferenceTransfer,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (order.request.media.length === 0) return order.request.values;
  const values: { [name: string]: JsonValue } = { ...order.request.values };
  for (const field of new Set(order.request.media.map((medium) => medium.field))) {
    const sources = order.request.media.filter((medium) => medium.field === field);
    const names: string[] = [];
    for (const { index } of sources) {
      const media = order.media.find((one) => one.field === field && one.index === index);
      if (media === undefined)
        throw new EngineError('invalid_input', `${field}: the file is not there`, { took: 'no' });
      names.push(await handOver(media, signal, order.request.media.length));
    }
    let next = 0;
    // A field's media are in the same order as in the request's list.
    const rename = (value: JsonValue): JsonValue => {
      if (typeof value === 'string') return value === sources[next]?.source ? (names[next++] ?? value) : value;
      if (Array.isArray(value)) return value.map(rename);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rename(inner)]));
    };
    values[field] = rename(values[field] ?? null);
  }
  return values;
}
