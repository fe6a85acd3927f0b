import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestHttp } from '../../../test/helpers/http.ts';

test('an event stream is closed when its task cannot be read, so that the client reconnects', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const made = await http.as(key, {
    method: 'POST',
    url: '/v1/images',
    payload: { model_id: 'sketch', prompt: 'a fox' },
  });
  const { read } = http.services.database;
  const first = read.first.bind(read) as (...query: unknown[]) => Promise<unknown>;
  let isGone = false;
  Object.assign(read, {
    first: async (...query: unknown[]) => {
      if (isGone) throw new Error('the database is gone');
      return await first(...query);
    },
  });
  const url = await http.app.listen({ port: 0 });
  const response = await fetch(`${url}/v1/images/${made.json().data.task_id}/events`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(60_000),
  });
  const { body } = response;
  assert.ok(body !== null);
  const reader = body.getReader();
  let seen = '';
  while (!/^id: 1\nevent: task\n/m.test(seen)) seen += Buffer.from((await reader.read()).value ?? []).toString();
  isGone = true;
  http.services.events.changed(made.json().data.task_id);
  await assert.rejects(reader.read(), { name: 'TypeError', message: 'terminated' });
});
