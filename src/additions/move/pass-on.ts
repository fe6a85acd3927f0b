import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { ServiceError } from '@darkroom-service/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isClientToken, readClientToken } from '../../accounts/client-token.ts';
import { hashSecret } from '../../accounts/key-secret.ts';
import type { Session } from '../../database/database.ts';
import { pathOfTarget } from '../../http/connection/url-check.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { GONE } from './ends.ts';

/**
 * Passes on what still arrives for accounts that have left: requests with their keys and client tokens, and those
 * without a key for an id of theirs, such as files, events, share links and callbacks.
 */

/** Names the cells that have passed a request on, so that it cannot go in circles. */
const PASSED_ON = 'darkroom-passed-on';
const READ_EVERY_MS = 1_000;
/**
 * How long what was read is trusted, less than a move waits before it removes the rows of an account: a process that
 * knows nothing newer would deny a key or an id that has only moved.
 */
const TRUSTED_MS = 4_000;
/** Longer than any request waits for its task. */
const SILENCE_MS = 310_000;
const BEARER = /^bearer +(\S+) *$/i;
const ID = /[a-z]+_[0-9a-z]{26}/;
/** They concern one connection only. */
const OF_CONNECTION = new Set(
  'connection keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade expect host'.split(
    ' ',
  ),
);

/** The accounts that have left, as last read. */
interface Departed {
  /** The address of the cell by the account; null = it has not opened the account yet. */
  readonly urls: ReadonlyMap<string, string | null>;
  /** Accounts by the hash of a key, and by the id of it. */
  readonly keys: ReadonlyMap<string, string>;
}

export function passOn(
  { database: { kind, read }, clock }: Pick<TaskServices, 'database' | 'clock'>,
  cell: string | null,
): (app: FastifyInstance) => void {
  if (kind === 'sqlite' || cell === null) return () => {};
  let departed: Departed = { urls: new Map(), keys: new Map() };
  let lastChange = 0;
  let reading: Promise<void> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let knownAt = Number.NEGATIVE_INFINITY;
  let fault: unknown = null;
  const refresh = async () => {
    const moves = await read.all(
      read.builder
        .selectFrom('account_moves')
        .select(['account_id', 'state', 'url', 'changed_at'])
        .where('role', '=', 'source')
        .where('state', 'in', GONE),
    );
    const change = moves.reduce((sum, { changed_at: at }) => sum + at, 0);
    if (change === lastChange) return;
    departed = {
      urls: new Map(moves.map(({ account_id: account, state, url }) => [account, state === 'moved' ? null : url])),
      keys: await readKeys(read),
    };
    lastChange = change;
  };
  const current = async () => {
    const now = clock.now();
    if (Math.abs(now - readAt) >= READ_EVERY_MS) {
      readAt = now;
      reading = refresh().then(
        () => {
          knownAt = now;
        },
        (error: unknown) => {
          fault = error;
        },
      );
    }
    await reading;
    return { ...departed, isTrusted: now - knownAt < TRUSTED_MS };
  };
  return (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const { urls, keys, isTrusted } = await current();
      const namesAccount = request.headers.authorization !== undefined || ID.test(request.url);
      if (!isTrusted && namesAccount) throw fault;
      if (urls.size === 0) return;
      const passedBy = String(request.headers[PASSED_ON] ?? '')
        .split(',')
        .filter(Boolean);
      if (passedBy.includes(cell)) return;
      const account = accountOfBearer(keys, request.headers.authorization) ?? (await accountOfId(read, urls, request));
      const url = account === null ? undefined : urls.get(account);
      if (url === null)
        throw new ServiceError(
          'service_unavailable',
          'The account is being moved to another cell; the request had no effect. Retry later.',
          { retryAfterSeconds: 5 },
        );
      if (url !== undefined) await forward(request, reply, url, [...passedBy, cell].join());
    });
  };
}

async function readKeys(read: Session): Promise<ReadonlyMap<string, string>> {
  const rows = await read.all(read.builder.selectFrom('moved_keys').selectAll());
  return new Map(
    rows.flatMap(({ key_id: id, account_id: account, hash, previous_hash: previous }) =>
      [id, hash, ...(previous === null ? [] : [previous])].map((name): [string, string] => [name, account]),
    ),
  );
}

function accountOfBearer(keys: ReadonlyMap<string, string>, authorization: string | undefined): string | null {
  const secret = BEARER.exec(authorization ?? '')?.[1];
  if (secret === undefined) return null;
  const name = isClientToken(secret) ? readClientToken(secret)?.keyId : hashSecret(secret);
  return keys.get(name ?? '') ?? null;
}

/** Only of requests without a key: what a key of this cell may not see it must not see through another cell. */
async function accountOfId(
  read: Session,
  urls: Departed['urls'],
  { headers, url }: FastifyRequest,
): Promise<string | null> {
  const id = headers.authorization === undefined ? ID.exec(url)?.[0] : undefined;
  if (id === undefined) return null;
  const of = (table: 'moved_ids' | 'tasks') =>
    read.first(
      read.builder
        .selectFrom(table)
        .select('account_id')
        .where('id', '=', id)
        .where('account_id', 'in', [...urls.keys()]),
    );
  return ((await of('moved_ids')) ?? (await of('tasks')))?.account_id ?? null;
}

async function forward(request: FastifyRequest, reply: FastifyReply, to: string, passedBy: string): Promise<void> {
  const url = new URL(to.replace(/\/+$/, '') + pathOfTarget(request.url));
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name, value]) => value !== undefined && !OF_CONNECTION.has(name)),
  );
  headers[PASSED_ON] = passedBy;
  headers['x-forwarded-for'] = request.ip;
  headers['x-forwarded-host'] ??= request.headers.host;
  headers['x-forwarded-proto'] ??= request.protocol;
  const asked = (url.protocol === 'https:' ? askHttps : askHttp)(url, { method: request.method, headers });
  asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error(`no answer within ${SILENCE_MS / 1000} s`)));
  reply.raw.once('close', () => asked.destroy());
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
  request.raw.pipe(asked);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
  }).catch((error: NodeJS.ErrnoException) => {
    request.raw.unpipe(asked);
    const isUnsent = error.code === 'ECONNREFUSED' || ['GET', 'HEAD'].includes(request.method);
    throw new ServiceError(
      'service_unavailable',
      isUnsent
        ? 'This account has moved to another cell, which cannot be reached now; the request had no effect. Retry later.'
        : 'This account has moved to another cell, which did not answer, so it is unknown whether the request took effect. Repeat it with the same Idempotency-Key.',
      { retryAfterSeconds: 5, outcomeUnknown: !isUnsent, cause: error },
    );
  });
  // An answer that breaks off must not look whole.
  asked.on('error', () => reply.raw.destroy());
  answer.on('error', () => reply.raw.destroy());
  reply.hijack();
  const given = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name));
  reply.raw.writeHead(answer.statusCode ?? 502, Object.fromEntries(given));
  answer.pipe(reply.raw);
}
