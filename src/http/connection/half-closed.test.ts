import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openTestHttp } from '../../../test/helpers/http.ts';
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
  const post = (path: string, body: string, more = '') => {
    const head = `host: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    return `POST ${path} HTTP/1.1\r\n${head}${more}\r\n\r\n${body}`;
  };
  const fox = '{"model_id":"sketch","prompt":"a fox"}';
  const order = (prefer = '') => post('/v1/images', fox, prefer);
  const batch = () => post('/v1/batches', `{"orders":[{"operation":"images","body":${fox}}]}`);
  return { send, get, order, batch };
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

test('an event stream tells a reader that closes its side the state, ends, and gives its share back', async (t) => {
  const { send, order, batch, get } = await openCallers(t, { streams: 1 });
  const made = async (request: string) => JSON.parse((await send(request)).split('\r\n\r\n')[1] ?? '').data;
  const { task_id: task } = await made(order());
  const { batch_id: id } = await made(batch());
  const streams = [
    [`/v1/images/${task}/events`, /^event: task\ndata: \{.*"status":"queued".*\}$/m],
    [`/v1/events?tasks=${task}`, /^event: task\ndata: \{.*"status":"queued".*\}$/m],
    [`/v1/batches/${id}/events`, /^event: batch\ndata: \{.*"status":"processing".*\}$/m],
  ] as const;
  for (const [path, event] of [...streams, ...streams]) {
    const events = await send(get(path));
    assert.deepEqual(statusesOf(events), [200], path);
    assert.match(events, event);
  }
});
