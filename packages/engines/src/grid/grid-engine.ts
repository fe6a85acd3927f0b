import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { FetchFault, type TrustedFetch } from '@darkroom-service/media';
import { HEAD_BYTES, isPage } from '@darkroom-service/media/structure';
import {
  type CallContext,
  type Checked,
  type DeliveredOutput,
  type Engine,
  EngineError,
  type Order,
  type OrderMedia,
} from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import type { GridDialect } from './grid-dialects.ts';
import { type GridJob, isOfFamily, planGridJob, workSize } from './grid-job.ts';
import { createGridPictures, type GridPictures } from './grid-pictures.ts';

type UpstreamJob = Exclude<GridJob, { kind: 'tile' }>;

/** The stored operation of a job that needs no upstream. */
const LOCAL_OPERATION = { atHome: true } as const;
const MAX_PICTURE_BYTES = 128 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 120_000;

/**
 * Extends an engine with grids and follow-up actions, for upstreams without them. Four pictures from one submission
 * become the grid, a tile is cut out of it, and every other action is an order with a source picture or a mask. Other
 * orders are passed through.
 */
export function withGrids(
  engine: Engine,
  dialect: GridDialect,
  { fetch, pictures: tools }: { readonly fetch: TrustedFetch; readonly pictures: PictureTools },
): Engine {
  const { find, cancel } = engine;
  const isLocalOperation = (operation: JsonValue) => (operation as Partial<typeof LOCAL_OPERATION>).atHome === true;

  async function check(operation: JsonValue, order: Order, context: CallContext): Promise<Checked> {
    const job = planGridJob(order);
    const plan = order.request.output;
    const edits = createGridPictures(tools, order);
    if (job.kind === 'tile') {
      const picture = await edits.cutOut(job.picture, job.crop, plan);
      return { status: 'succeeded', delivery: deliverBytes([await edits.finish(picture, plan)]) };
    }
    const checked = await engine.check(operation, asUpstreamOrder(order, job, dialect, []), context);
    if (checked.status !== 'succeeded') return checked;
    const { outputs } = checked.delivery;
    if (outputs.length < job.count) {
      const message = `expected ${job.count} pictures of the upstream, found ${outputs.length}`;
      return { status: 'failed', error: { code: 'upstream_error', message } };
    }
    const pictures: Buffer[] = [];
    for (const output of outputs.slice(0, job.count)) pictures.push(await fetchOutput(output, fetch, context.signal));
    if (!(await Promise.all(pictures.map(edits.isPicture))).every(Boolean)) {
      const message = 'what the upstream delivered is no picture';
      return { status: 'failed', error: { code: 'upstream_error', message } };
    }
    const picture = await finishResult(order, job, pictures, edits);
    const facts = { seed: job.seed, tiles: job.count === 4 ? 4 : null };
    return { status: 'succeeded', delivery: deliverBytes([picture], facts) };
  }

  return {
    ...engine,
    async start(order, context) {
      if (!isOfFamily(order)) return await engine.start(order, context);
      const job = planGridJob(order);
      if (job.kind === 'tile') return { operation: LOCAL_OPERATION, checkAfterMs: 0 };
      const media = await mediaOf(order, job, createGridPictures(tools, order)).catch((error: unknown) => {
        const message = 'the pictures that it starts from cannot be read right now';
        throw new EngineError('busy', message, { took: 'no', cause: error });
      });
      return await engine.start(asUpstreamOrder(order, job, dialect, media), context);
    },
    check: (operation, order, context) =>
      isOfFamily(order) ? check(operation, order, context) : engine.check(operation, order, context),
    ...(cancel === undefined
      ? {}
      : {
          async cancel(operation, order, context) {
            return isLocalOperation(operation) ? false : await cancel(operation, order, context);
          },
        }),
    ...(find === undefined
      ? {}
      : {
          async find(taskId, order, context) {
            if (!isOfFamily(order)) return await find(taskId, order, context);
            const job = planGridJob(order);
            return job.kind === 'tile'
              ? LOCAL_OPERATION
              : await find(taskId, asUpstreamOrder(order, job, dialect, []), context);
          },
        }),
  };
}

/** Returns the size of each picture that the upstream makes. */
function sizeFor({ request }: Order, { count }: UpstreamJob) {
  const { width, height } = request.output;
  return workSize(count === 4 ? { width: width / 2, height: height / 2 } : { width, height });
}

/** Prepares the pictures for the upstream, at the size it works in. */
async function mediaOf(order: Order, job: UpstreamJob, edits: GridPictures): Promise<OrderMedia[]> {
  const size = sizeFor(order, job);
  if (job.kind === 'text') return [];
  if (job.kind === 'image') return [asMedia('picture', await edits.cutOut(job.picture, job.crop, size), size)];
  const { picture, area, mask } = job;
  return [
    asMedia('picture', await edits.placeOnCanvas(picture, area, size), size),
    asMedia('mask', await edits.maskOf(mask, area, size), size),
  ];
}

/** Converts the upstream's picture to the one that the customer gets. */
async function finishResult(
  order: Order,
  job: UpstreamJob,
  pictures: readonly Uint8Array[],
  edits: GridPictures,
): Promise<Uint8Array> {
  const plan = order.request.output;
  const [picture] = pictures;
  if (job.count === 4 || picture === undefined) return await edits.composeGrid(pictures, plan);
  if (job.kind !== 'masked') return await edits.finish(picture, plan);
  const canvas = await edits.placeOnCanvas(job.picture, job.area, plan);
  return await edits.overlayOriginal(picture, canvas, await edits.maskOf(job.mask, job.area, plan), plan);
}

function asUpstreamOrder(order: Order, job: UpstreamJob, dialect: GridDialect, media: readonly OrderMedia[]): Order {
  const size = sizeFor(order, job);
  const { model, engine } = order.route;
  const values: JsonObject = {
    prompt: job.prompt,
    negative_prompt: job.negativePrompt,
    seed: job.seed,
    ...size,
    count: job.count,
    strength: job.kind === 'text' ? null : job.strength,
    picture: job.kind === 'text' ? null : sourceOf('picture'),
    mask: job.kind === 'masked' ? sourceOf('mask') : null,
  };
  const { parameters, fixed } = dialect;
  return {
    ...order,
    parent: null,
    media,
    route: { engine, model: model === null ? null : dialect.model(model, job.kind), parameters, fixed },
    request: {
      ...order.request,
      action: null,
      values,
      derived: {},
      output: { ...order.request.output, ...size, tiles: null },
      media: media.map(({ field, index, kind }) => ({ field, index, kind, source: sourceOf(field) })),
    },
  };
}

function sourceOf(field: string): string {
  return `grid:${field}`;
}

function asMedia(field: string, bytes: Uint8Array, size: { width: number; height: number }): OrderMedia {
  const open = async () => Readable.from([Buffer.from(bytes)]);
  const facts = { index: 0, kind: 'image', contentType: 'image/png', durationSeconds: null, url: null } as const;
  return { field, ...facts, ...size, bytes: bytes.length, open };
}

/** Downloads an output. @throws EngineError, so that the check is repeated */
async function fetchOutput({ source }: DeliveredOutput, fetch: TrustedFetch, signal: AbortSignal): Promise<Buffer> {
  if ('data' in source) return Buffer.from(source.data);
  if ('path' in source) return await readFile(source.path);
  const { url, headers = {}, allowOrigins = [] } = source;
  const limits = { maxBytes: MAX_PICTURE_BYTES, timeoutMs: FETCH_TIMEOUT_MS, maxRedirects: 5, joinsPieces: true };
  try {
    const response = await fetch(url, { headers, allowOrigins, signal, ...limits });
    const bytes = response.status === 200 ? await buffer(response.body) : null;
    if (bytes !== null && bytes.length > 0 && !isPage(bytes.subarray(0, HEAD_BYTES))) return bytes;
    response.body.destroy();
    throw new EngineError('upstream', `a picture's address answered ${response.status}`, { took: 'yes' });
  } catch (error) {
    if (!(error instanceof FetchFault)) throw error;
    throw new EngineError('upstream', 'a picture of the upstream cannot be fetched', { took: 'yes', cause: error });
  }
}
