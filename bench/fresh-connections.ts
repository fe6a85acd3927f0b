import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTrustedFetch } from '@darkroom-service/media';
import { makeTrustedCertificate } from '@darkroom-service/testing/samples';

/**
 * Measures what a connection for each order costs beside kept ones, on this machine: `node bench/fresh-connections.ts`.
 * Prints requests a second with 16 at once, and milliseconds of one after the other, without and with TLS.
 */
const ONE_BY_ONE = 1_000;
const AT_ONCE = 16;
const TOGETHER = 4_000;

const servers = [
  { scheme: 'http', server: createServer(answer) },
  { scheme: 'https', server: createTlsServer(await makeTrustedCertificate(['localhost']), answer) },
];
const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
for (const { scheme, server } of servers) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `${scheme}://localhost:${(server.address() as AddressInfo).port}`;
  for (const freshConnection of [false, true, false, true]) {
    const order = async () => {
      const call = { method: 'POST', body: '{"prompt":"a fox"}', freshConnection, allowOrigins: [origin] };
      const { body } = await fetch(`${origin}/orders`, { ...call, maxBytes: 1_000, timeoutMs: 10_000 });
      await body.toArray();
    };
    for (let count = 0; count < 100; count++) await order();
    const began = performance.now();
    for (let count = 0; count < ONE_BY_ONE; count++) await order();
    const between = performance.now();
    let left = TOGETHER;
    const worker = async () => {
      while (left-- > 0) await order();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const together = performance.now() - between;
    const ms = ((between - began) / ONE_BY_ONE).toFixed(3);
    const rate = Math.round((TOGETHER / together) * 1_000);
    console.log(
      `${scheme} ${freshConnection ? 'fresh' : 'kept '}: ${ms} ms each, ${rate} a second with ${AT_ONCE} at once`,
    );
  }
  server.closeAllConnections();
  server.close();
}
await close();

function answer(request: { resume(): unknown }, response: { end(text: string): unknown }): void {
  request.resume();
  response.end('{"id":"1"}');
}
