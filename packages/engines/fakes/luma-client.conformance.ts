import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APIError, LumaAI } from 'lumaai';
import { assertRefusals } from './client-refusals.ts';
import { openFakeLuma } from './luma.ts';
import { smallPicture } from './small-picture.ts';

/**
 * Luma's client for Node knows Luma's older interface. Of ours it has the address of an order, the key and the errors,
 * but neither the call that orders nor its fields: that call is made by hand.
 */
test("Luma's own client talks to the fake: key, order, states, result, failure and refusals", async (t) => {
  const fake = await openFakeLuma();
  t.after(() => fake.stop());
  const clientWith = (authToken: string) => new LumaAI({ baseURL: fake.url, authToken, maxRetries: 0 });
  const client = clientWith(fake.key);
  const order = async (words: string, by = client, model = 'uni-1'): Promise<string> => {
    const body = { model, prompt: `a fox ${words}`, type: 'image' };
    const { id } = await by.post<typeof body, { readonly id: string }>('/generations', { body });
    return id;
  };
  const id = await order('[[queue=1 run=1]]');
  const seen = [await client.generations.get(id), await client.generations.get(id), await client.generations.get(id)];
  assert.deepEqual(
    seen.map(({ state }) => state as string),
    ['queued', 'processing', 'completed'],
  );
  const { output } = seen[2] as unknown as { readonly output: readonly { readonly url: string }[] };
  const file = await fetch(output[0]?.url ?? '');
  assert.ok(Buffer.from(await file.arrayBuffer()).equals(await smallPicture));
  const failed = await client.generations.get(await order('[[end=content]]'));
  assert.deepEqual([failed.state, failed.failure_reason], ['failed', 'It ended: content.']);

  const told = (error: unknown) => (error instanceof APIError ? error.status : null);
  await assertRefusals(told, {
    'a wrong key': [() => order('', clientWith('wrong')), 401],
    'another model': [() => order('', client, 'ray-2'), 404],
    'a rate limit': [() => order('[[submit=busy]]'), 429],
    'an empty account': [() => order('[[submit=billing]]'), 402],
    'a bad order': [() => order('[[submit=invalid]]'), 422],
    'a broken upstream': [() => order('[[submit=internal]]'), 500],
    'a generation that is not there': [() => client.generations.get('nobody'), 404],
  });
});
