import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openTestHttp } from '../../../test/http.ts';
import type { BudgetLimits } from '../../accounts/budgets.ts';

/** Callers that close their side of the connection as soon as they have sent their requests. */
async function openCallers(t: TestContext, limits: Partial<BudgetLimits> = {}) {
  const http = await openTestHttp(t, {}, limits);
  const { key } = await http.issue();
  await http.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.app.server.address() as AddressInfo;
  /** Answers all bytes until the connection ends. */
  const send = async (bytes: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.end(bytes);
    await once(socket, 'close');
    return text;
  };
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`;
  const order = (prefer = '') => {
    const body = '{"model_id":"sketch","prompt":"a fox"}';
    const head = `host: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    return `POST /v1/images HTTP/1.1\r\n${head}${prefer}\r\n\r\n${body}`;
  };
  return { send, get, order };
}

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

test('a caller that closes its side after its requests gets every answer, in their order', async (t) => {
  const { send, get, order } = await openCallers(t);
  const callers = Array.from({ length: 20 }, () => send(`${order()}${get('/v1/images')}${order()}${get('/nowhere')}`));
  for (const text of await Promise.all(callers)) assert.deepEqual(statusesOf(text), [201, 200, 201, 404]);
});

test('a caller that closes its side while it waits for a task is told its state at once, since it may be gone', async (t) => {
  const { send, order } = await openCallers(t);
  const text = await send(order('\r\nprefer: wait=60'));
  assert.deepEqual(statusesOf(text), [201]);
  assert.match(text, /"status":"queued"/);
});

test('an event stream ends when its reader closes its side, and gives its share back', async (t) => {
  const { send, order, get } = await openCallers(t, { streams: 1 });
  const { data } = JSON.parse((await send(order())).split('\r\n\r\n')[1] ?? '');
  for (let round = 0; round < 2; round++) {
    const events = await send(get(`/v1/images/${data.task_id}/events`));
    assert.deepEqual(statusesOf(events), [200]);
    assert.match(events, /: open\n\n/);
  }
});
