import { buffer } from 'node:stream/consumers';
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { EngineError, type Order, type OrderMedia } from '../engine.ts';
import { readablePicture } from './readable-picture.ts';

/**
 * Gives the upstream one medium: the text that the order names it by there.
 * @param count how many media the order has in all.
 * @throws EngineError; whatever its `took`, nothing was ordered yet.
 */
export type HandOver = (media: OrderMedia, signal: AbortSignal, count: number) => Promise<string>;

export interface HandOverWays {
  /** The types of pictures that the upstream reads, where it does not read all that we take; others are converted. */
  readonly pictures?: readonly string[];
  /** The most bytes of a file that the upstream takes inside the order; 0 = none. */
  readonly inline: number;
  /** What goes inside is base64 alone, without the beginning of a data URI. */
  readonly bare?: boolean;
  /** The same for all media of an order together; none without it. */
  readonly inlineTogether?: number;
  /** Whether the upstream fetches media from our signed address, where it is one that it can reach. */
  readonly byAddress: boolean;
  /** Brings a file to the upstream and answers its name there. */
  readonly upload?: HandOver;
}

/** Inside the order where it is small enough, else by our address where the world can reach it, else by upload. */
export function createHandOver(ways: HandOverWays): HandOver {
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

export async function dataUriOf(media: OrderMedia): Promise<string> {
  return `data:${media.contentType};base64,${(await bytesOf(media)).toString('base64')}`;
}

export async function bytesOf(media: OrderMedia): Promise<Buffer> {
  return await buffer(await media.open());
}

/** The values of an order with every medium in the words of its hand-over. Each medium is handed over once. */
export async function handOverMedia(order: Order, handOver: HandOver, signal: AbortSignal): Promise<JsonObject> {
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
    // Media stand in a field in the order in which the request lists them.
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
