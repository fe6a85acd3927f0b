import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What happens to one request, and to its answer. */
export type Fault =
  /** The service gets the request, and the client no answer: the connection is cut. */
  | { readonly kind: 'drop' }
  /** The connection is cut before the service gets anything. */
  | { readonly kind: 'refuse' }
  /** The service gets the request; the answer is held back until the client gives up. */
  | { readonly kind: 'hold' }
  /** The service gets the request; the client gets this instead of its answer. */
  | {
      readonly kind: 'replace';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** The answer breaks off after so many bytes of its body. */
  | { readonly kind: 'cut'; readonly bytes: number };

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ScriptedProxy {
  readonly url: string;
  /** Every request so far. */
  readonly seen: readonly Seen[];
  /** The faults of the next requests whose method and path match, one each; later ones pass. */
  fail(match: RegExp, ...faults: Fault[]): void;
  /** Resolves when so many requests that match have arrived. */
  count(match: RegExp, wanted: number): Promise<void>;
}

/** A proxy in front of a service that loses, holds back, cuts and replaces single answers, as a list of faults says. */
export async function startScriptedProxy(t: Pick<TestContext, 'after'>, target: string): Promise<ScriptedProxy> {
  const seen: Seen[] = [];
  const rules: { readonly match: RegExp; readonly faults: Fault[] }[] = [];
  const watchers: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    seen.push({ method, path: url, headers });
    for (const wake of watchers.splice(0)) wake();
    const fault = rules
      .find(({ match, faults }) => faults.length > 0 && match.test(`${method} ${url}`))
      ?.faults.shift();
    if (fault?.kind === 'refuse') return void incoming.socket.destroy();
    pass(target, incoming, outgoing, fault);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const countOf = (match: RegExp) => seen.filter(({ method, path }) => match.test(`${method} ${path}`)).length;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    fail: (match, ...faults) => void rules.push({ match, faults }),
    async count(match, wanted) {
      while (countOf(match) < wanted) await new Promise<void>((resolve) => watchers.push(resolve));
    },
  };
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
  const { host: _, ...headers } = incoming.headers;
  const upstream = forward(`${target}${incoming.url}`, { method: incoming.method, headers });
  upstream.on('error', () => outgoing.destroy());
  upstream.on('response', (answer) => {
    answer.on('error', () => outgoing.destroy());
    if (fault === undefined) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      return void answer.pipe(outgoing);
    }
    if (fault.kind === 'cut') return cut(answer, outgoing, fault.bytes);
    answer.resume();
    answer.on('end', () => {
      if (fault.kind === 'drop') outgoing.socket?.destroy();
      if (fault.kind === 'replace') outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    });
  });
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

function cut(answer: IncomingMessage, outgoing: ServerResponse, bytes: number): void {
  let left = bytes;
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.on('data', (chunk: Buffer) => {
    if (left <= 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    // The bytes must have left before the connection is cut.
    outgoing.write(part, () => {
      if (left <= 0) outgoing.socket?.destroy();
    });
  });
}
