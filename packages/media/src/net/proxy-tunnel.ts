import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import type { Socket } from 'node:net';
import { FetchFault } from './fetch-fault.ts';
import { portOf, shownProxy } from './outgoing-proxies.ts';
import { MAX_HEADER_BYTES } from './response-limits.ts';

/**
 * Opens a connection through a proxy (CONNECT), also to hosts without TLS, so that nothing was sent if the proxy
 * refuses.
 * @param to the target of the proxy's connection: a name or an address, with a port
 * @throws FetchFault; its cause names the proxy, without user and password
 */
export async function openTunnel(
  proxy: URL,
  to: string,
  { host, timeoutMs }: { readonly host: string; readonly timeoutMs: number },
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const fail = (what: string, cause?: unknown) => {
    const reason = new Error(`the proxy ${shownProxy(proxy)} ${what}`, { cause });
    const message = `${host} could not be reached through the outgoing proxy`;
    reject(new FetchFault('proxy', message, { sent: 'no', cause: reason }));
  };
  const asked = (proxy.protocol === 'https:' ? askHttps : askHttp)({
    method: 'CONNECT',
    path: to,
    headers: { host: to, ...authorizationFor(proxy) },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port || portOf(proxy.protocol),
  });
  const timer = setTimeout(() => {
    fail(`did not answer within ${timeoutMs / 1000} s`);
    asked.destroy();
  }, timeoutMs);
  asked.once('connect', ({ statusCode = 0, statusMessage }, socket: Socket, head: Buffer) => {
    if (statusCode >= 200 && statusCode < 300) {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
      return;
    }
    socket.destroy();
    const advice = statusCode === 407 ? '; it expects a user and a password in its URL' : '';
    fail(`refused the connection to ${to}: ${statusCode} ${statusMessage ?? ''}`.trim() + advice);
  });
  asked.once('error', (error: NodeJS.ErrnoException) => {
    const isOverflow = error.code === 'HPE_HEADER_OVERFLOW';
    const what = isOverflow
      ? `sent more than ${MAX_HEADER_BYTES / 1024} KB of headers`
      : `cannot be reached (${error.code ?? error.message})`;
    fail(what, error);
  });
  asked.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function authorizationFor({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
