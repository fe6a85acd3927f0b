import type { Readable } from 'node:stream';
import { type ByteRange, JsonScan, type JsonShape, ServiceError, world } from '@darkroom-service/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ANONYMOUS, type Budgets, type Share } from '../../accounts/budgets.ts';
import type { Owner } from '../../accounts/scope.ts';
import { LONGEST_PLAIN_TEXT } from '../../base/long-texts.ts';
import type { BodyPace } from './body-pace.ts';
import { type CollectedBody, collectBody, OWN_PAGES_BYTES } from './collect-body.ts';

/** A body whose length is not announced takes its share of the budget in steps of this size. */
const STEP_BYTES = 262_144;

interface JsonBytes extends CollectedBody {
  /** Byte ranges of its long strings that carry files. */
  readonly longData: readonly ByteRange[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Shares of its key's budget that its body takes. */
    bodyShares?: readonly Share[] | undefined;
  }
  interface FastifyContextConfig {
    /** Whether its body may hold many orders, each of which is limited by itself. */
    takesManyOrders?: boolean;
    /** Whether its body may carry files as base64 without `data:` before it, as some dialects do. */
    takesBareBase64?: boolean;
  }
}

export interface BodyLimits {
  readonly budgets: Budgets;
  readonly pace: BodyPace;
  /** The largest body that any route accepts, which is the one that `DARKROOM_MAX_BODY_MB` sets. */
  readonly maxBodyBytes: number;
}

/** Gives the share of every body back when its request ends. */
export function releaseBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyShares');
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.headers['content-length'] !== undefined || request.raw.headers['transfer-encoding'] !== undefined)
      reply.raw.once('close', () => releaseBody(request));
    done();
  });
}

/** Gives a share back when the request ends, or when its body has been worked through. */
export function keepShare(request: FastifyRequest, share: Share): void {
  request.bodyShares = [...(request.bodyShares ?? []), share];
}

/** Forgets the body of a request that has been worked through, before a long wait. */
export function releaseBody(request: FastifyRequest): void {
  const shares = request.bodyShares;
  if (shares === undefined) return;
  request.bodyShares = undefined;
  request.body = undefined;
  for (const share of shares) share.release();
}

/**
 * Reads a JSON body, as far as its limits allow, within the budget of its key. A body beyond its limits is read to its
 * end, slowly, and not kept: a client that is still sending would not see the answer.
 * @throws ServiceError `body_too_large`, `invalid_request` for its shape, `invalid_json` for one that is cut off,
 * `rate_limited`
 */
export async function readJsonBytes(
  request: FastifyRequest,
  payload: Readable,
  limits: BodyLimits,
): Promise<JsonBytes> {
  const limit = request.routeOptions.bodyLimit;
  const { takesManyOrders = false, takesBareBase64 = false } = request.routeOptions.config;
  const most = takesManyOrders ? MANY_ORDERS : JSON_LIMITS;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limit) throw tooLarge(`has ${announced} bytes`, limit, limits);
  const owner = request.apiKey?.id ?? ANONYMOUS;
  const takeShare = createTaker(request, limits.budgets, request.apiKey ?? ANONYMOUS);
  if (announced > 0) takeShare(announced);
  const scan = new JsonScan(LONGEST_PLAIN_TEXT, takesBareBase64);
  const body = collectBody(announced > 0 ? announced : null, limit);
  try {
    let received = 0;
    let isSound = true;
    await readAll(payload, (chunk) => {
      received += chunk.length;
      if (received > limit) throw tooLarge(`is longer than ${limit} bytes`, limit, limits);
      if (Number.isNaN(announced)) takeShare(received);
      if (!isSound) return discardPause(limits.pace, owner, chunk.length);
      scan.push(chunk);
      isSound = isWithinLimits(scan.shape(), most);
      if (isSound) body.add(chunk);
      else body.drop();
      return received > OWN_PAGES_BYTES ? limits.pace(owner, chunk.length) : 0;
    });
    if (announced >= 0 && received !== announced)
      throw new ServiceError(
        'invalid_request',
        `The body has ${received} bytes, but Content-Length announced ${announced}.`,
      );
    const shape = scan.shape();
    assertShape(shape, most);
    if (shape.values > JSON_LIMITS.values)
      keepShare(request, limits.budgets.take(request.apiKey ?? ANONYMOUS, 'body_bytes', shape.values * VALUE_BYTES));
    if (scan.isOpen()) {
      throw new ServiceError(
        'invalid_json',
        `The body is not valid JSON: it ends after ${received} bytes, inside a string, an object or an array.`,
      );
    }
  } catch (error) {
    body.drop();
    throw error;
  }
  return { ...body.whole(), longData: scan.longData() };
}

/** Takes a share of the owner's budget, and a larger one in its place when the body has grown beyond it. */
function createTaker(request: FastifyRequest, budgets: Budgets, owner: string | Owner): (bytes: number) => void {
  let taken = 0;
  return (bytes) => {
    if (bytes <= taken) return;
    taken = taken === 0 ? bytes : Math.max(bytes, taken + STEP_BYTES);
    for (const share of request.bodyShares ?? []) share.release();
    request.bodyShares = [budgets.take(owner, 'body_bytes', taken)];
  };
}

/** @param take returns how long to pause before what comes next, in milliseconds. */
function readAll(payload: Readable, take: (chunk: Buffer) => number): Promise<void> {
  const pause = createPause(payload);
  return new Promise((resolve, reject) => {
    const end = (error?: unknown) => {
      payload.off('data', onData).off('end', end).off('error', end);
      if (error === undefined) resolve();
      // Whatever ends a body early, the sender hears of it as a fault of the request.
      else reject(Object.assign(error as Error, 'code' in (error as object) ? {} : { statusCode: 400 }));
    };
    const onData = (chunk: Buffer) => {
      try {
        pause(take(chunk));
      } catch (error) {
        end(error);
      }
    };
    payload.on('data', onData).on('end', end).on('error', end);
    payload.resume();
  });
}

/** Pauses a stream after all that it has at hand, once, and not after each piece of it. */
function createPause(payload: Readable): (ms: number) => void {
  let longest = 0;
  return (ms) => {
    if (ms > 0 && longest === 0) {
      queueMicrotask(() => {
        payload.pause();
        world.setTimeout(() => payload.resume(), longest);
        longest = 0;
      });
    }
    longest = Math.max(longest, ms);
  };
}

function tooLarge(found: string, limit: number, { maxBodyBytes }: BodyLimits): ServiceError {
  const setting = limit === maxBodyBytes ? ' (setting DARKROOM_MAX_BODY_MB)' : '';
  const advice =
    limit === maxBodyBytes ? ' Upload media with POST /v1/files and reference them as upload:<file_id>.' : '';
  return new ServiceError('body_too_large', `The body ${found}; the limit is ${limit} bytes${setting}.${advice}`);
}

/**
 * The least pause between two chunks of a refused body: about 16 MB a second, so that reading it to its end delays no
 * other request.
 */
const DISCARD_PAUSE_MS = 4;

/** Returns how long to pause after a chunk of a refused body, in milliseconds. Together, those of a key take turns. */
export function discardPause(pace: BodyPace, owner: string, bytes: number): number {
  return Math.max(DISCARD_PAUSE_MS, pace(owner, bytes));
}

/**
 * Reads what is left of a refused body slowly and keeps nothing of it: a client that is still sending would not see the
 * answer.
 */
export function discardBody({ raw, apiKey }: FastifyRequest, pace: BodyPace): void {
  const owner = apiKey?.id ?? ANONYMOUS;
  const pause = createPause(raw);
  raw.unpipe().on('data', (chunk: Buffer) => pause(discardPause(pace, owner, chunk.length)));
  raw.resume();
}

/** The limits of a JSON body. Media inside `data:` strings are limited by the size of the whole body only. */
export const JSON_LIMITS = { bytesOutsideData: 262_144, values: 2_000, names: 256, depth: 32 } as const;

type JsonLimits = Readonly<Record<keyof typeof JSON_LIMITS, number>>;
/** Limits of a body with many orders: ten thousand short ones. */
const MANY_ORDERS: JsonLimits = { ...JSON_LIMITS, bytesOutsideData: 2_097_152, values: 80_000 };
/** Memory that a small value takes once it is parsed, in bytes. */
const VALUE_BYTES = 64;

/** Tells whether `assertShape` accepts a shape. */
function isWithinLimits({ bytesOutsideData, values, names, depth }: JsonShape, most: JsonLimits): boolean {
  return (
    bytesOutsideData <= most.bytesOutsideData && values <= most.values && names <= most.names && depth <= most.depth
  );
}

/**
 * Checks the shape of a body. A body is measured until it exceeds a limit, so the message states a minimum.
 * @throws ServiceError that names the limit and the found value: `body_too_large`, or `invalid_request` for the shape.
 */
export function assertShape(shape: JsonShape, most: JsonLimits = JSON_LIMITS): void {
  const { bytesOutsideData, values, names, depth } = shape;
  if (bytesOutsideData > most.bytesOutsideData) {
    throw new ServiceError(
      'body_too_large',
      `The body has at least ${bytesOutsideData} bytes outside of data: strings; the limit is ${most.bytesOutsideData} bytes. Send media as data: URIs, or upload them with POST /v1/files.`,
    );
  }
  const refuse = (what: string) => {
    throw new ServiceError('invalid_request', `The body ${what}.`);
  };
  if (depth > most.depth) refuse(`nests objects and arrays at least ${depth} levels deep; the limit is ${most.depth}`);
  if (names > most.names) refuse(`has an object of at least ${names} names; the limit is ${most.names}`);
  if (values > most.values) refuse(`has at least ${values} values; the limit is ${most.values}`);
}
