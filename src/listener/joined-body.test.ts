import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { useWorld, world } from '@darkroom-service/contract';
import fc from 'fast-check';
import { openTestHttp } from '../../test/helpers/http.ts';
import { wholeFile } from '../../test/helpers/whole-file.ts';
import { JoinedBody } from './joined-body.ts';
import { createPieceCounter, createStepBudget } from './piece-counter.ts';

const JSON_TYPE = 'application/json';
const WRITTEN_AT_ONCE = 16_384;
const FORM = 'multipart/form-data; boundary=b';

/** Longer than a process needs to have its whole budget of small pieces again. */
const BUDGET_RETURNS_MS = 2_000;

/** The clock goes on before each connection, so that none lacks the budget that another has used. */
let aheadMs = 0;
const machine = useWorld({ ...world, monotonic: () => machine.monotonic() + aheadMs });
wholeFile.after(() => useWorld(machine));

/** The chunks of a body, each of so many bytes. */
const chunks = (count: number, bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat(count);
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

async function enabledAdditions(t: TestContext) {
  const http = await openTestHttp(t);
  await http.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.app.server.address() as AddressInfo;
  const { key } = await http.issue({ mode: 'test' });
  const { key: admin } = await http.issue({ mode: 'admin' });
  const head = (path: string, type: string, secret: string | null) => {
    const bearer = secret === null ? '' : `authorization: Bearer ${secret}\r\n`;
    return `POST ${path} HTTP/1.1\r\nhost: a\r\n${bearer}content-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
  };
  /** Reads nothing until all is written. Answers what came until the service closed the connection. */
  const send = async (bytes: string): Promise<string> => {
    aheadMs += BUDGET_RETURNS_MS;
    const socket = connect(port, '127.0.0.1').pause();
    const closed = once(socket, 'close');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.pause();
    for (let from = 0; from < bytes.length; from += WRITTEN_AT_ONCE) {
      await new Promise((written) => socket.write(bytes.slice(from, from + WRITTEN_AT_ONCE), 'latin1', written));
      await new Promise(setImmediate);
    }
    socket.resume();
    await closed;
    return text;
  };
  return { key, admin, port, head, send };
}

test('a body of too many small pieces is answered 400 at every door, also to a client that writes before it reads', async (t) => {
  const { key, admin, head, send } = await enabledAdditions(t);
  const doors = [
    ['/v1/images', JSON_TYPE, key],
    ['/v1/videos', JSON_TYPE, key],
    ['/v1/prices', JSON_TYPE, key],
    ['/v1/files', 'application/octet-stream', key],
    ['/v1/files', FORM, key],
    ['/v1/batches', 'application/jsonl', key],
    ['/v1/provenance', 'application/octet-stream', key],
    ['/openai/v1/images/generations', JSON_TYPE, key],
    ['/openai/v1/images/edits', FORM, key],
    ['/mcp', JSON_TYPE, key],
    ['/admin/v1/accounts', JSON_TYPE, admin],
  ] as const;
  for (const [path, type, secret] of doors) {
    const answer = await send(head(path, type, secret) + chunks(50_000, 1));
    assert.deepEqual(statusesOf(answer), [400], path);
    assert.match(answer, /^connection: close\r$/im, path);
    assert.match(answer, /"code":"invalid_request"/, path);
    assert.match(answer, /the last 100 have \d+ bytes\. Expected at least 64 bytes each/, path);
  }
});

test('who has its answer already gets no second one, and the connection ends', async (t) => {
  const { head, send } = await enabledAdditions(t);
  for (const [path, status] of [
    ['/nothing', 404],
    ['/v1/images', 401],
    ['/admin/v1/accounts', 401],
  ] as const) {
    assert.deepEqual(statusesOf(await send(head(path, JSON_TYPE, null) + chunks(50_000, 1))), [status], path);
  }
  const read = `GET /healthz HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`;
  assert.deepEqual(statusesOf(await send(read + chunks(50_000, 1))), [200], 'a body that nobody reads');
});

test('64 bytes a piece are enough, 63 are not, however good the start was', async (t) => {
  const { key, head, send } = await enabledAdditions(t);
  const price = head('/v1/prices', JSON_TYPE, key);
  const order = '{"model_id":"sketch"}';
  const close = 'GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
  const body = (spaces: string) => `${price}${spaces}${order.length.toString(16)}\r\n${order}\r\n0\r\n\r\n`;
  assert.deepEqual(statusesOf(await send(body(chunks(3_000, 64)) + close)), [200, 200]);
  assert.deepEqual(statusesOf(await send(body(chunks(3_000, 63)) + close)), [400]);
  assert.deepEqual(statusesOf(await send(body(chunks(1_900, 16)) + close)), [200, 200], 'a short body of short pieces');
  assert.deepEqual(statusesOf(await send(body(chunks(3, 65_536) + chunks(4_100, 1)) + close)), [400]);
});

test('the count goes on over the bodies of a connection, and the first pieces of each are free', async (t) => {
  const { key, head, send } = await enabledAdditions(t);
  const bodies = (count: number, pieces: number) =>
    `${head('/v1/prices', JSON_TYPE, key)}${chunks(pieces, 1)}15\r\n{"model_id":"sketch"}\r\n0\r\n\r\n`.repeat(count);
  const close = 'GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
  assert.deepEqual(statusesOf(await send(bodies(9, 500))), [200, 200, 200, 200, 400]);
  assert.deepEqual(statusesOf(await send(bodies(200, 15) + close)), Array(201).fill(200));
});

test('a connection after one that was ended reads bodies as ever', async (t) => {
  const { key, port, head, send } = await enabledAdditions(t);
  await send(head('/v1/images', JSON_TYPE, key) + chunks(20_000, 1));
  for (let round = 0; round < 3; round++) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/prices`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': JSON_TYPE },
      body: '{"model_id":"sketch"}',
    });
    assert.equal(response.status, 200, await response.text());
  }
});

/**
 * A server whose reader pauses after each of so many events. The sender ends the body once all of it was read.
 * @returns the body that was read, and in how many events
 */
async function readPausing(pieces: readonly number[], pauses: number): Promise<{ body: string; events: number }> {
  aheadMs += BUDGET_RETURNS_MS;
  const server = createServer({ IncomingMessage: JoinedBody }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = request({ port, method: 'POST', agent: false });
  const arrives = once(server, 'request');
  for (const [index, bytes] of pieces.entries()) sender.write(letter(index).repeat(bytes));
  const total = pieces.reduce((sum, bytes) => sum + bytes, 0);
  const [message, response] = (await arrives) as [IncomingMessage, { end(): void }];
  let body = '';
  let events = 0;
  message.on('data', (bytes: Buffer) => {
    body += bytes.toString('latin1');
    if (body.length === total) sender.end();
    if (++events > pauses) return;
    message.pause();
    setImmediate(() => setImmediate(() => message.resume()));
  });
  await once(message, 'end');
  response.end();
  server.close();
  return { body, events };
}

const letter = (index: number) => String.fromCharCode(97 + (index % 26));

test('pieces are joined, and none is lost or in another place, whenever its reader pauses', async () => {
  const sizes = fc.array(fc.constantFrom(1, 2, 60, 1_023, 1_024, 5_000, 20_000), { minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 0, max: 40 }), async (pieces, pauses) => {
      const { body } = await readPausing(pieces, pauses);
      assert.equal(body, pieces.map((bytes, index) => letter(index).repeat(bytes)).join(''));
    }),
    { numRuns: 30 },
  );
  const { events } = await readPausing(Array(1_900).fill(1), 1_000);
  assert.ok(events < 100, `1,900 pieces came in ${events} events`);
});

test('small pieces of all connections together have a budget, and larger ones none', () => {
  let time = 0;
  const take = createStepBudget(() => time);
  const endOf = (bytes: number) => {
    const count = createPieceCounter(take);
    for (let pieces = 1; pieces <= 1_500; pieces++) if (count(bytes) !== null) return pieces;
    return null;
  };
  assert.deepEqual(
    Array.from({ length: 15 }, () => endOf(1)),
    [...Array(13).fill(null), 600, 100],
  );
  assert.equal(endOf(64), null);
  time += 100;
  assert.equal(endOf(1), null);
  assert.equal(endOf(1), 600);
});
