import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { FetchFault } from './fetch-fault.ts';
import { createTrustedFetch } from './trusted-fetch.ts';

test('a fetch fails if its host delivers too slowly or does not begin to answer', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/silent') return;
    const trickle = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(trickle));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { fetch, close } = createTrustedFetch({ allowedAddresses: ['127.0.0.1'] });
  t.after(async () => {
    await close();
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limits = { maxBytes: 1_000_000, timeoutMs: 60_000 };
  const pace = { answerWithinMs: 60_000, minBytes: 1000, perMs: 50 };
  const isTimeout = (message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof FetchFault);
    assert.equal(error.kind, 'timeout');
    assert.match(error.message, message);
    return true;
  };
  const { body } = await fetch(origin, { ...limits, pace });
  await assert.rejects(text(body), isTimeout(/delivered \d+ bytes in 0\.05 s; at least 1000 are expected/));
  await assert.rejects(
    fetch(`${origin}/silent`, { ...limits, pace: { ...pace, answerWithinMs: 50 } }),
    isTimeout(/did not answer within 0\.05 s/),
  );
});
