import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A file of the hub. */
export interface HubFile {
  readonly repository: string;
  readonly path: string;
  bytes: Buffer;
}

/** Faults for the next requests of content; each is used once, in order. */
export type HubFault =
  | 'cut'
  | 'wrong byte'
  | 'too many'
  | 'unavailable'
  | 'expired'
  | 'other part'
  | 'short'
  | 'drop'
  | 'stall';

/** `wrong digest`: the list tells another one than the file has. `refused until`: with the time of the next answer. */
export type ListFault = 'too many' | 'limited' | 'refused until' | 'forbidden' | 'cut' | 'oversized' | 'wrong digest';

export interface ModelHub {
  readonly url: string;
  readonly faults: HubFault[];
  /** Faults of the hub itself, before it redirects. */
  readonly hubFaults: ('too many' | 'too many for 1 s' | 'unavailable' | 'slow')[];
  /** Faults of the lists of releases. */
  readonly listFaults: ListFault[];
  /** Lists of releases that were asked for. */
  lists(): number;
  /** Ranges of content that were asked for. */
  readonly ranges: string[];
  /** Bytes of content that were sent. */
  sent(): number;
  /** Answers content with whole files only. */
  hasRanges: boolean;
  /** Sends content in pieces, each after this pause. */
  pauseMs: number;
  /** How many requests a redirect's address is good for. */
  usesOfAddress: number;
  /** Whether redirects tell digest and commit. */
  tellsFacts: boolean;
  /** The token that the hub itself wants; null = none. */
  token: string | null;
  /** The `Authorization` of each request of content, at the other host. */
  readonly tokensAtContent: string[];
}

export const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const PIECE = 64 * 1024;

/** Each of dozens of answers about a file tells its digest. */
const digests = new WeakMap<Buffer, string>();

export function sha256Of(bytes: Buffer): string {
  const known = digests.get(bytes) ?? createHash('sha256').update(bytes).digest('hex');
  digests.set(bytes, known);
  return known;
}

/**
 * A model hub on the loopback interface: it redirects to another host, whose addresses expire, and which sends ranges.
 */
export async function startModelHub(t: Pick<TestContext, 'after'>, files: readonly HubFile[]): Promise<ModelHub> {
  let sent = 0;
  let lists = 0;
  const uses = new Map<string, number>();
  const content = await listen(t, async (request, response) => {
    const url = new URL(request.url ?? '', 'http://content');
    const file = files[Number(url.pathname.slice(1))];
    const token = url.searchParams.get('token') ?? '';
    hub.tokensAtContent.push(request.headers.authorization ?? 'none');
    const left = uses.get(token) ?? 0;
    uses.set(token, left - 1);
    const isProbe = request.headers.range === 'bytes=0-0';
    const fault = isProbe ? undefined : hub.faults.shift();
    if (file === undefined || left <= 0 || fault === 'expired') return refuse(response, 403);
    if (fault === 'too many') return refuse(response, 429, { 'retry-after': '0' });
    if (fault === 'unavailable') return refuse(response, 503);
    if (fault === 'drop') return response.destroy();
    const whole = fault === 'short' ? file.bytes.subarray(0, 10) : file.bytes;
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const ranged = hub.hasRanges && request.headers.range !== undefined;
    const start = ranged ? Number(from) : 0;
    const end = ranged ? Math.min(whole.length, Number(to) + 1) : whole.length;
    if (start >= whole.length) return refuse(response, 416, { 'content-range': `bytes */${whole.length}` });
    if (!isProbe && ranged) hub.ranges.push(`${start}-${end}`);
    const told = fault === 'other part' ? start + 1 : start;
    const range = `bytes ${told}-${end - 1}/${whole.length}`;
    response.writeHead(ranged ? 206 : 200, {
      'content-length': end - start,
      etag: `"${sha256Of(whole).slice(0, 32)}"`,
      ...(ranged ? { 'content-range': range } : {}),
    });
    let body = whole.subarray(start, end);
    if (fault === 'wrong byte') {
      body = Buffer.from(body);
      body[body.length >> 1]! ^= 1;
    }
    const stopAt = fault === 'cut' || fault === 'stall' ? body.length >> 1 : body.length;
    for (let at = 0; at < stopAt && !response.destroyed; at += PIECE) {
      const piece = body.subarray(at, Math.min(stopAt, at + PIECE));
      sent += piece.length;
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      if (hub.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, hub.pauseMs));
    }
    if (fault === 'cut') response.destroy();
    else if (fault !== 'stall') response.end();
  });
  const front = await listen(t, async (request, response) => {
    const url = new URL(request.url ?? '', 'http://hub');
    const fault = hub.hubFaults.shift();
    if (hub.token !== null && request.headers.authorization !== `Bearer ${hub.token}`)
      return refuse(response, 401, { 'x-error-code': 'GatedRepo' });
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 1500));
    if (fault === 'too many') return refuse(response, 429, { 'retry-after': '0' });
    if (fault === 'too many for 1 s')
      return refuse(response, 429, { ratelimit: '"resolvers";r=0;t=1', 'ratelimit-policy': '"resolvers";q=9;w=300' });
    if (fault === 'unavailable') return refuse(response, 503);
    const [, listed] = /^\/api\/models\/(.+)\/tree\//.exec(url.pathname) ?? [];
    if (listed !== undefined) {
      const own = files.filter(({ repository }) => repository === listed);
      const list = own.map(({ path, bytes }) => ({
        type: 'file',
        path,
        size: bytes.length,
        lfs: { oid: sha256Of(bytes) },
      }));
      return response.end(JSON.stringify(list));
    }
    const [, released, tag] = /^\/api\/v3\/repos\/(.+)\/releases\/tags\/([^/]+)$/.exec(url.pathname) ?? [];
    if (released !== undefined) {
      lists++;
      const own = files.filter(({ repository, path }) => repository === released && path.startsWith(`${tag}/`));
      return answerRelease(response, own, hub.listFaults.shift());
    }
    const index = files.findIndex(
      ({ repository, path }) =>
        new RegExp(`^/${repository}/resolve/(main|${COMMIT})/${path}$`).test(url.pathname) ||
        url.pathname === `/${repository}/releases/download/${path}`,
    );
    const file = files[index];
    if (file === undefined) return refuse(response, 404);
    const token = `${uses.size}`;
    uses.set(token, hub.usesOfAddress);
    response.writeHead(302, {
      // Another name than the hub's, so that it is another host.
      location: `http://localhost:${content.port}/${index}?token=${token}`,
      ...(hub.tellsFacts
        ? { 'x-repo-commit': COMMIT, 'x-linked-size': file.bytes.length, 'x-linked-etag': `"${sha256Of(file.bytes)}"` }
        : {}),
    });
    response.end();
  });
  const hub: ModelHub = {
    url: `http://127.0.0.1:${front.port}`,
    faults: [],
    hubFaults: [],
    listFaults: [],
    lists: () => lists,
    ranges: [],
    sent: () => sent,
    hasRanges: true,
    pauseMs: 0,
    usesOfAddress: Number.POSITIVE_INFINITY,
    tellsFacts: true,
    token: null,
    tokensAtContent: [],
  };
  return hub;
}

/** Answers the list of a release as GitHub does. */
function answerRelease(response: ServerResponse, files: readonly HubFile[], fault: ListFault | undefined): unknown {
  const seconds = Math.ceil(Date.now() / 1000);
  if (fault === 'too many') return refuse(response, 429, { 'retry-after': '0' });
  if (fault === 'limited') return refuse(response, 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' });
  if (fault === 'refused until')
    return refuse(response, 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${seconds + 3000}` });
  if (fault === 'forbidden') return refuse(response, 403);
  const assets = files.map(({ path, bytes }) => ({
    name: path.split('/').at(-1),
    size: bytes.length,
    digest: `sha256:${sha256Of(fault === 'wrong digest' ? Buffer.from('other') : bytes)}`,
  }));
  const json = JSON.stringify({ assets, body: fault === 'oversized' ? ' '.repeat(9 * 1024 * 1024) : '' });
  if (fault !== 'cut') return response.end(json);
  response.writeHead(200, { 'content-length': json.length });
  return response.write(json.slice(0, json.length >> 1), () => response.destroy());
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end();
}

async function listen(
  t: Pick<TestContext, 'after'>,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ port: number }> {
  const server: Server = createServer((request, response) => void answer(request, response));
  // Both families: `localhost` may be either.
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}
