import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { BudgetLimits } from '../../src/accounts/budgets.ts';
import { openTestHttp } from '../helpers/http.ts';

async function open(t: TestContext, limits: Partial<BudgetLimits> = {}, lifeMs: number | null = null) {
  const http = await openTestHttp(t, {}, limits);
  const expiresAt = lifeMs === null ? null : http.clock.now() + lifeMs;
  const { key, key_id: keyId } = await http.issue({ expiresAt });
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 });
  const authorization = `Bearer ${key}`;
  const created = await http.as(key, {
    method: 'POST',
    url: '/v1/images',
    payload: { model_id: 'sketch', prompt: 'a fox' },
  });
  const { task_id: taskId, urls } = created.json().data;
  const signedUrl = url + new URL(urls.events).pathname + new URL(urls.events).search;
  const stream = async (headers: Record<string, string>, address = `${url}/v1/images/${taskId}/events`) => {
    const leaving = new AbortController();
    t.after(() => leaving.abort());
    const response = await fetch(address, { headers, signal: leaving.signal });
    return { response, leave: () => leaving.abort() };
  };
  return { ...http, keyId, url, taskId, signedUrl, authorization, stream };
}

test('a key has so many streams open at once and no more, by bearer and by signed addresses together', async (t) => {
  const { services, keyId, stream, signedUrl, authorization } = await open(t, { streams: 2 });
  const first = await stream({ authorization });
  const second = await stream({}, signedUrl);
  assert.deepEqual([first.response.status, second.response.status], [200, 200]);
  const policy = String(second.response.headers.get('ratelimit-policy'));
  assert.equal(policy, '"reads";q=3000;w=60, "streams";q=2;qu="concurrent-requests"');
  for (const attempt of [stream({ authorization }), stream({}, signedUrl)]) {
    const { response } = await attempt;
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    assert.deepEqual([response.status, error.code, response.headers.get('retry-after')], [429, 'rate_limited', '1']);
    assert.match(error.message, /open event streams: 2 in use, 1 more requested, at most 2 at once\./);
    assert.match(String(response.headers.get('ratelimit')), /"streams";r=0$/);
  }
  first.leave();
  await until(
    () => services.budgets.state(keyId, ['streams'])[0]?.remaining,
    (left) => left === 1,
  );
  assert.equal((await stream({ authorization })).response.status, 200);
});

test('openings of one signed address beyond the streams of a key are refused before anything is read', async (t) => {
  const { services, taskId, stream, signedUrl } = await open(t, { streams: 2 });
  const endTurns = await Promise.all([services.events.reads.take(taskId), services.events.reads.take(taskId)]);
  const opened = [stream({}, signedUrl), stream({}, signedUrl)];
  const remaining = () => services.budgets.state(taskId, ['streams'])[0]?.remaining;
  await until(remaining, (left) => left === 0);
  assert.equal((await stream({}, signedUrl)).response.status, 429);
  for (const endTurn of endTurns) endTurn();
  const streams = await Promise.all(opened);
  assert.deepEqual(
    streams.map(({ response }) => response.status),
    [200, 200],
  );
  for (const { leave } of streams) leave();
  await until(remaining, (left) => left === 2);
  assert.equal((await stream({}, signedUrl)).response.status, 200);
});

test('an end user has its share of the streams of a key, by tokens and signed addresses together, and others have the rest', async (t) => {
  const { as, authorization, stream, url } = await open(t, { streams: 4 });
  const key = authorization.replace('Bearer ', '');
  const payload = { model_id: 'sketch', prompt: 'a fox' };
  const viewer = async (endUser: string) => {
    const issued = await as(key, { method: 'POST', url: '/v1/client_tokens', payload: { end_user: endUser } });
    const { token } = issued.json().data;
    const { task_id: id, urls } = (await as(token, { method: 'POST', url: '/v1/images', payload })).json().data;
    const { pathname, search } = new URL(urls.events);
    return {
      byToken: () => stream({ authorization: `Bearer ${token}` }, `${url}/v1/images/${id}/events`),
      bySigned: () => stream({}, url + pathname + search),
    };
  };
  const [ada, bob] = [await viewer('ada'), await viewer('bob')];
  const opened = [(await ada.byToken()).response, (await ada.bySigned()).response];
  assert.deepEqual([opened[0]?.status, opened[1]?.status], [200, 200]);
  assert.match(String(opened[1]?.headers.get('ratelimit-policy')), /"streams";q=2;qu="concurrent-requests"$/);
  for (const attempt of [ada.byToken(), ada.bySigned()]) {
    const { response } = await attempt;
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    assert.deepEqual([response.status, error.code], [429, 'rate_limited']);
    assert.match(error.message, /^This end user has reached its share of the open event streams: 2 in/);
  }
  assert.equal((await bob.byToken()).response.status, 200);
  assert.equal((await stream({ authorization })).response.status, 200);
  const { response } = await bob.byToken();
  assert.match(await response.text(), /This API key has reached the limit of open event streams: 4 in use/);
});

test('a stream of several tasks counts as one for each of them', async (t) => {
  const { url, as, taskId, authorization, stream } = await open(t, { streams: 2 });
  const payload = { model_id: 'sketch', prompt: 'a fox' };
  const key = authorization.replace('Bearer ', '');
  const other = (await as(key, { method: 'POST', url: '/v1/images', payload })).json().data.task_id;
  const both = `${url}/v1/events?tasks=${taskId},${other},${taskId}`;
  const first = await stream({ authorization }, both);
  assert.equal(first.response.status, 200);
  assert.equal((await stream({ authorization })).response.status, 429);
});

test('a signed stream ends when the key expires, and none is opened after that', async (t) => {
  const { clock, stream, signedUrl } = await open(t, {}, 600_000);
  const { response } = await stream({}, signedUrl);
  assert.equal(response.status, 200);
  clock.advance(600_001);
  // Read to its end, which comes with the next look at the keys.
  assert.match(await response.text(), /^id: 1\nevent: task\n/m);
  const again = await stream({}, signedUrl);
  const { error } = (await again.response.json()) as { error: { code: string; message: string } };
  assert.deepEqual([again.response.status, error.code], [403, 'forbidden']);
  assert.match(error.message, /expired/);
});

test('an order that asks to wait beyond the budget of waits is taken and answered at once', async (t) => {
  const { url, authorization } = await open(t, { waits: 1 });
  const order = (seconds: number) =>
    fetch(`${url}/v1/images`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', prefer: `wait=${seconds}` },
      body: JSON.stringify({ model_id: 'sketch', prompt: 'a fox' }),
      signal: leaving.signal,
    });
  const leaving = new AbortController();
  const first = order(60).catch(() => null);
  const second = await until(
    () => order(1),
    (response) => response.headers.get('preference-applied') === null,
  );
  assert.equal(second.status, 201);
  assert.match(String(second.headers.get('ratelimit')), /"waits";r=0/);
  leaving.abort();
  await first;
});

test('an end user that waits with all of its share is answered at once, and leaves the waits of others to them', async (t) => {
  const { as, url, authorization, keyId, services } = await open(t, { waits: 4 });
  const leaving = new AbortController();
  t.after(() => leaving.abort());
  const tokenFor = async (endUser: string): Promise<string> => {
    const payload = { end_user: endUser };
    const key = authorization.replace('Bearer ', '');
    return `Bearer ${(await as(key, { method: 'POST', url: '/v1/client_tokens', payload })).json().data.token}`;
  };
  const order = (credential: string, seconds: number) =>
    fetch(`${url}/v1/images`, {
      method: 'POST',
      headers: { authorization: credential, 'content-type': 'application/json', prefer: `wait=${seconds}` },
      body: JSON.stringify({ model_id: 'sketch', prompt: 'a fox' }),
      signal: leaving.signal,
    });
  const [ada, bob] = [await tokenFor('ada'), await tokenFor('bob')];
  const waiting = [order(ada, 60), order(ada, 60)].map((one) => one.catch(() => null));
  await until(
    () => services.budgets.state(keyId, ['waits'])[0]?.remaining,
    (left) => left === 2,
  );
  const beyond = await order(ada, 1);
  assert.deepEqual([beyond.status, beyond.headers.get('preference-applied')], [201, null]);
  assert.match(String(beyond.headers.get('ratelimit-policy')), /"waits";q=2;/);
  assert.match(String(beyond.headers.get('ratelimit')), /"waits";r=0/);
  const others = await Promise.all([order(bob, 1), order(authorization, 1)]);
  for (const { headers } of others) assert.equal(headers.get('preference-applied'), 'wait=1');
  leaving.abort();
  await Promise.all(waiting);
});
