import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type Clock, type JsonObject, type JsonValue, world } from '@darkroom-service/contract';
import { type CallContext, type Checked, type Engine, EngineError, type Order } from '@darkroom-service/engines';
import {
  PainterFault,
  type PainterPool,
  PaintFault,
  type PaintJob,
  type PaintResult,
} from '@darkroom-service/illustrator';
import { temporaryPath } from '@darkroom-service/media';
import type { Observation } from '../check.ts';
import { type FetchedMedia, fetchMedia } from './fetch-media.ts';
import { simulatedFailure, waitAsSimulated } from './simulate.ts';

interface SketchEngineOptions {
  readonly pool: PainterPool;
  /** Folder for pictures until they are collected. It must exist. */
  readonly temporaryDirectory: string;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Whether it can make films. Absent: it can. */
  readonly films?: Observation;
}

/** The stored state of an order: everything that its picture depends on besides the order itself. */
export type SketchOperation = {
  readonly seed: number;
  /** Milliseconds since 1970; both equal unless the order simulates a wait. */
  readonly startedAt: number;
  readonly readyAt: number;
};

const WITH_FILMS: Observation = { status: 'ok', found: '', advice: null };
/** Share of the progress that a simulated wait takes. */
const WAITED_PROGRESS = 90;
const REMEMBERED_WISHES = 10_000;

/**
 * Creates the built-in engine, an illustrator by rules: free, without network, and the same picture for the same order.
 */
export function createSketchEngine(options: SketchEngineOptions): Engine {
  const { pool, temporaryDirectory, clock, concurrency, films = WITH_FILMS } = options;
  // A cancellation reaches a painting that runs here, or the next check. The task stores it, so it is repeated if this
  // process dies.
  const cancelRequests = new Set<string>();
  const paintings = new Map<string, AbortController>();
  const lateResults = new Set<string>();

  return {
    name: 'sketch',
    concurrency,
    repeatable: true,
    idempotency: 'replays',
    isLocal: true,
    async start(order) {
      const startedAt = clock.now();
      const readyAt = startedAt + Math.round((order.simulate?.seconds ?? 0) * 1000);
      const operation: SketchOperation = { seed: chooseSeed(order), startedAt, readyAt };
      return { operation, checkAfterMs: 0 };
    },
    check,
    async cancel(_operation, order) {
      remember(cancelRequests, order.taskId);
      paintings.get(order.taskId)?.abort(new Error('canceled'));
      return true;
    },
    async probe() {
      if (films.status === 'ok') return { ok: true, message: 'paints stills and films' };
      // Films are optional: only parts that are installed and do not work are a fault.
      const message = `paints stills, and no films: ${[films.found, films.advice].filter(Boolean).join('. ')}`;
      return films.status === 'failed' ? { ok: false, message } : { ok: true, message, cannotMake: 'films' };
    },
    makes: (type) => type === 'image' || films.status === 'ok',
  };

  async function check(stored: JsonValue, order: Order, context: CallContext): Promise<Checked> {
    const operation = stored as SketchOperation;
    if (cancelRequests.delete(order.taskId)) return { status: 'canceled' };
    const pending = waitAsSimulated(operation, order.simulate, clock.now(), WAITED_PROGRESS);
    if (pending !== null) return pending;
    const failure = simulatedFailure(order.simulate);
    // A late result is checked once more after its failure was reported: it is then available.
    if (failure !== null && !lateResults.delete(order.taskId)) {
      if (failure.lateResult === true) remember(lateResults, order.taskId);
      return failure;
    }
    return await paint(operation, order, context);
  }

  async function paint(
    operation: SketchOperation,
    order: Order,
    { signal, onProgress }: CallContext,
  ): Promise<Checked> {
    const stop = new AbortController();
    paintings.set(order.taskId, stop);
    const waited = operation.readyAt > operation.startedAt ? WAITED_PROGRESS : 0;
    const name = `${order.taskId}-${world.randomUUID()}.${order.request.output.format}`;
    const path = await temporaryPath(temporaryDirectory, name);
    let media: FetchedMedia | null = null;
    try {
      const calledOff = AbortSignal.any([signal, stop.signal]);
      media = await fetchMedia(order, temporaryDirectory, calledOff);
      const result = await pool.paint(createJob(operation.seed, order, media, path), {
        signal: calledOff,
        onProgress: (progress) => onProgress(waited + (progress * (100 - waited)) / 100),
      });
      stop.signal.throwIfAborted();
      return succeed(operation.seed, order, path, result);
    } catch (error) {
      await rm(path, { force: true });
      if (stop.signal.aborted) {
        cancelRequests.delete(order.taskId);
        return { status: 'canceled' };
      }
      if (error instanceof PaintFault)
        return { status: 'failed', error: { code: FAILURE_CODES[error.kind], message: error.message } };
      if (error instanceof PainterFault)
        throw new EngineError(LOST_CLASSES[error.kind], error.message, { took: 'no', cause: error.cause });
      throw error;
    } finally {
      paintings.delete(order.taskId);
      await media?.remove();
    }
  }
}

const FAILURE_CODES = { invalid_input: 'invalid_input', impossible: 'upstream_error', time_limit: 'timeout' } as const;
const LOST_CLASSES = { lost: 'upstream', stopping: 'busy' } as const;

function succeed(seed: number, order: Order, path: string, { keep, explanation }: PaintResult): Checked {
  const output = {
    source: { path },
    seed,
    revisedPrompt: null,
    tiles: order.request.output.tiles,
    ...(explanation === undefined ? {} : { explanation }),
  };
  return { status: 'succeeded', delivery: { outputs: [output], keep } };
}

function createJob(seed: number, order: Order, media: FetchedMedia, path: string): PaintJob {
  const { request, parent } = order;
  return {
    path,
    output: request.output,
    seed,
    action: request.action,
    values: request.values,
    media: media.references,
    parent:
      parent === null || media.parentPicture === null
        ? null
        : {
            keep: parent.keep,
            values: parent.request.values,
            seed: seedOf(parent.request.values, parent.taskId),
            tiles: parent.request.output.tiles,
            picture: media.parentPicture,
          },
    testMark: order.testMark,
    explain: order.simulate?.explain ?? false,
  };
}

function chooseSeed(order: Order): number {
  return seedOf(order.request.values, order.taskId);
}

/** Returns the request's seed, or one derived from the task, so that a retry gives the same picture. */
function seedOf(values: JsonObject, taskId: string): number {
  const { seed } = values;
  if (typeof seed === 'number' && Number.isSafeInteger(seed) && seed >= 0) return seed;
  return hash('sha256', taskId, 'buffer').readUInt32BE(0) >>> 1;
}

/** Adds an id to a bounded set, which drops the oldest first. */
function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  for (const oldest of ids) {
    if (ids.size <= REMEMBERED_WISHES) return;
    ids.delete(oldest);
  }
}
