import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { cutUnreadAnswers } from './unread-answers.ts';

const UNREAD_MS = 1_500;
/** More than the buffers of both ends of a connection hold. */
const FILE = Buffer.alloc(24 * 2 ** 20, 'film');

/**
 * Asks a server for the file.
 * @returns the answer, of which nothing is read yet, and when the server closes its connection.
 */
async function askForFile(
  t: TestContext,
): Promise<{ readonly answer: IncomingMessage; readonly closed: Promise<unknown> }> {
  const server = createServer((_request, response) => response.end(FILE)).listen(0, '127.0.0.1');
  cutUnreadAnswers(server, UNREAD_MS);
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  const { port } = server.address() as AddressInfo;
  const [answer] = await once(get({ host: '127.0.0.1', port, agent: false }), 'response');
  return { answer: answer as IncomingMessage, closed };
}

test('a slow but steady reader gets the whole file, even if that takes several times the limit', async (t) => {
  const { answer } = await askForFile(t);
  const begun = performance.now();
  const step = FILE.length / 24;
  let [bytes, next] = [0, step];
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (bytes < next) continue;
    next += step;
    await pause(UNREAD_MS / 8);
  }
  assert.equal(bytes, FILE.length);
  assert.ok(performance.now() - begun > 2 * UNREAD_MS, 'it took longer than the limit');
});

test('the connection of a client that reads nothing is closed', async (t) => {
  const { answer, closed } = await askForFile(t);
  await closed;
  await assert.rejects(buffer(answer), { code: 'ECONNRESET' });
});
