import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { ADDITIONS } from './additions/list.ts';
import { withOutsideAdditions } from './outside-additions.ts';
import { loadConfig } from './service/config/config.ts';
import { ConfigFault } from './service/config/config-fault.ts';
import { firstStart } from './service/first-start.ts';
import { startService } from './service/service.ts';

/** A service that runs inside another program. */
export interface Darkroom {
  /**
   * Answers a request, with everything below its path: for `app.mount` of Hono, or a listener that converts Node's
   * requests.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Stops as `darkroom serve` does: waits for engine calls that cannot be resumed. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the service inside this program. It handles no signal, never ends the program, and reads neither the
 * environment nor a file of settings. The first start writes its keys into `first-keys.txt` in the data directory.
 * @param settings the variables of docs/configuration.md. `DARKROOM_PUBLIC_URL` is required, since only the program
 * knows where it is reached; a port of its own is opened for metrics only.
 * @throws ConfigFault, CatalogFault, or the error of the part that cannot be opened
 */
export async function createDarkroom(settings: Readonly<Record<string, string | undefined>>): Promise<Darkroom> {
  const additions = await withOutsideAdditions(ADDITIONS, settings);
  const config = loadConfig(settings, additions);
  if (config.publicUrl === null)
    throw new ConfigFault([{ variable: 'DARKROOM_PUBLIC_URL', message: 'expected the URL that clients use' }]);
  if (config.role === 'worker')
    throw new ConfigFault([
      { variable: 'DARKROOM_ROLE', message: 'expected all or api: a worker answers no requests' },
    ]);
  await using closers = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  closers.defer(() => rm(directory, { recursive: true, force: true }));
  const socketPath =
    process.platform === 'win32' ? String.raw`\\.\pipe\${directory.replaceAll('\\', '-')}` : join(directory, 'http');
  const service = await startService(config, {
    additions,
    socketPath,
    // A blocked event loop is the responsibility of the program.
    tempo: { watchdog: { standsAtMostMs: Number.POSITIVE_INFINITY, everyMs: 60_000 } },
    async beforeListening(database) {
      const { dataDirectory, cell } = config;
      await firstStart({ database, dataDirectory, cell, terminal: false, print: () => {} });
    },
  });
  closers.defer(() => service.stop({ announce: false }));
  // Answers may wait for a task, and streams for its events.
  const connections = new Pool('http://localhost', { connect: { socketPath }, headersTimeout: 0, bodyTimeout: 0 });
  closers.defer(() => connections.close());
  const opened = closers.move();
  return {
    fetch: (request) => answer(connections, request),
    close: () => opened.disposeAsync(),
  };
}

/** Answers over a connection, so that limits, streams and aborts work as for a service that listens. */
async function answer(connections: Pool, request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const { statusCode, headers, body } = await connections.request({
    path: pathname + search,
    method: request.method,
    headers: { host, ...Object.fromEntries(request.headers) },
    body: request.body === null ? null : Readable.fromWeb(request.body),
    signal: request.signal,
  });
  const pairs = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  const isBodiless = request.method === 'HEAD' || statusCode === 204 || statusCode === 304;
  if (isBodiless) await body.dump();
  const stream = isBodiless ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>);
  return new Response(stream, { status: statusCode, headers: pairs.filter(([name]) => !HOP.has(name)) });
}

/** Headers of the connection to the service, which are not passed on. */
const HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
