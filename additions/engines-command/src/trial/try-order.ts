import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import { type JsonObject, type JsonValue, sleep, world } from '@darkroom-service/contract';
import type { CatalogRoute, ResolvedRequest } from '@darkroom-service/contract/catalog';
import {
  type Delivery,
  type Engine,
  EngineError,
  type Order,
  type OrderMedia,
  type ReportedCost,
} from '@darkroom-service/engines';
import type { TrustedFetch } from '@darkroom-service/media';

/** Result of an order of the trial. */
export interface TriedOrder {
  /** `unknown`: the upstream may or may not have the order; it was not submitted again. */
  readonly outcome: 'succeeded' | 'refused' | 'failed' | 'unknown' | 'not finished';
  /** Whether the upstream accepted the order. */
  readonly accepted: boolean;
  /** The upstream's own reason; null after a success. */
  readonly reason: string | null;
  readonly seconds: number;
  readonly outputs: number;
  readonly bytes: number | null;
  /** The cost that the upstream stated; null if it stated none. */
  readonly upstreamCost: ReportedCost | null;
  /** Upstream's own id, to find the order in its records. */
  readonly job: string | null;
}

const LONGEST_MS = 20 * 60_000;
const CHECK_EVERY_MS = 3_000;
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;

/** Returns the order as the worker would hand it to the engine. Its media are small pictures. */
export function orderFor(request: ResolvedRequest, route: CatalogRoute, taskId: string): Order {
  const { engine, model = null, parameters = null, fixed = {} } = route;
  return {
    taskId,
    mode: 'live',
    request,
    route: { engine, model, parameters, fixed: fixed as JsonObject },
    simulate: null,
    testMark: false,
    media: request.media.map(mediumOf),
    parent: null,
  };
}

function mediumOf({ field, index, kind }: ResolvedRequest['media'][number]): OrderMedia {
  const { bytes, side } = samplePicture();
  return {
    field,
    index,
    kind,
    contentType: 'image/png',
    bytes: bytes.length,
    width: side,
    height: side,
    durationSeconds: null,
    open: async () => Readable.from([bytes]),
    url: null,
  };
}

/**
 * Submits one order, once, and follows it to its end. Downloads the result to measure it and keeps nothing.
 * @param onTaken receives the operation as soon as the upstream has the order
 */
export async function tryOrder(
  engine: Engine,
  order: Order,
  { fetch, signal, checkEveryMs = CHECK_EVERY_MS }: TryTools,
  onTaken: (operation: JsonValue) => Promise<void>,
): Promise<TriedOrder> {
  const began = world.monotonic();
  const limited = AbortSignal.any([signal, world.timeout(LONGEST_MS)]);
  const context = { signal: limited, onProgress: () => {} };
  let accepted = false;
  let job: string | null = null;
  const ended = (outcome: TriedOrder['outcome'], reason: string | null): TriedOrder => {
    const seconds = Math.round((world.monotonic() - began) / 100) / 10;
    return { outcome, accepted, reason, seconds, outputs: 0, bytes: null, upstreamCost: null, job };
  };
  const succeeded = async (delivery: Delivery): Promise<TriedOrder> => {
    const result = ended('succeeded', null);
    const upstreamCost = delivery.upstreamCost ?? null;
    const bytes = await sizeOf(delivery, fetch, signal).catch(() => null);
    return { ...result, outputs: delivery.outputs.length, bytes, upstreamCost };
  };
  try {
    const started = await engine.start(order, context);
    accepted = true;
    if ('done' in started) return await succeeded(started.done);
    const { operation } = started;
    job = engine.jobOf?.(operation, order) ?? null;
    await onTaken(operation);
    for (;;) {
      await sleep(started.checkAfterMs === 0 ? 0 : checkEveryMs, { signal: limited });
      const checked = await engine.check(operation, order, context).catch((error: unknown) => {
        if (limited.aborted || (error instanceof EngineError && isVerdict(error))) throw error;
        return null;
      });
      if (checked?.status === 'succeeded') return await succeeded(checked.delivery);
      if (checked?.status === 'failed') return ended('failed', checked.error.message);
      if (checked?.status === 'canceled') return ended('failed', 'the upstream canceled it');
    }
  } catch (error) {
    if (accepted && limited.aborted) return ended('not finished', 'it was given up; the upstream may still finish it');
    const { message } = error as Error;
    if (accepted) return ended('failed', message);
    return ended(error instanceof EngineError && error.took === 'no' ? 'refused' : 'unknown', message);
  }
}

interface TryTools {
  readonly fetch: TrustedFetch;
  readonly signal: AbortSignal;
  readonly checkEveryMs?: number;
}

function isVerdict(error: EngineError): boolean {
  return error.class === 'invalid_input' || error.class === 'content_policy';
}

async function sizeOf({ outputs }: Delivery, fetch: TrustedFetch, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for (const { source } of outputs) {
    if ('data' in source) bytes += source.data.length;
    if (!('url' in source)) continue;
    const response = await fetch(source.url, {
      maxBytes: MAX_OUTPUT_BYTES,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      maxRedirects: 5,
      joinsPieces: true,
      signal,
      ...(source.headers === undefined ? {} : { headers: source.headers }),
      ...(source.allowOrigins === undefined ? {} : { allowOrigins: source.allowOrigins }),
    });
    bytes += (await buffer(response.body)).length;
  }
  return bytes;
}

const SIDE = 768;

/** Makes a PNG of 768 × 768 pixels with a soft gradient: large enough for every upstream, and small in bytes. */
function samplePicture(): { readonly bytes: Buffer; readonly side: number } {
  const row = 1 + SIDE * 3;
  const raw = Buffer.alloc(row * SIDE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      raw.set([120 + (x * 100) / SIDE, 140 + (y * 90) / SIDE, 190].map(Math.floor), y * row + 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  // 8 bits, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { bytes, side: SIDE };
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
