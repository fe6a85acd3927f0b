import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import type { Fault } from '../fault-proxy.ts';
import { type Order, type Outcome, openaiForNode, openaiForPython, type PublishedClient } from './clients.ts';
import { litellm } from './litellm.ts';
import { assertNoOrder, IMAGE, type Mount, openMount, readBooks } from './mount.ts';

/** Conversations of OpenAI's published clients and of LiteLLM, through a proxy that loses requests and answers. */

const FOX = { role: 'user', content: 'a fox' };
const SMALL = { image_config: { image_size: '512' } };
const ORDER = /^POST /;

const FAULTS = ['cut before', 'cut within', 'lose answer', '502 before', '502 after', 'cut answer'] as const;

/** Returns what a client makes of a fault of the first request. OpenAI's for Node reads an answer after its retries. */
function outcomeOf(client: PublishedClient, fault: Extract<Fault, string>): string {
  return client === openaiForNode && fault === 'cut answer' ? 'an error, 1 charged' : 'a picture, 1 charged';
}

/** Returns the call of a conversation. The clients for Python take fields that OpenAI does not have apart. */
function conversation(client: PublishedClient, messages: readonly object[], more: object = {}): Order {
  const isApart = client !== openaiForNode;
  const body = { model: 'sketch', messages, ...(isApart ? { extra_body: SMALL } : SMALL), ...more };
  return [client === litellm ? 'completion' : 'chat.completions.create', body];
}

function resultOf({ value, error }: Outcome) {
  assert.equal(error, undefined);
  return value;
}

async function assertPicture(image: { image_url: { url: string } } | undefined): Promise<void> {
  const [, base64 = ''] = image?.image_url.url.split('data:image/png;base64,') ?? [];
  const { format, width } = await sharp(Buffer.from(base64, 'base64')).metadata();
  assert.deepEqual([format, width], ['png', 512]);
}

async function chargesOf(mount: Mount): Promise<number> {
  return (await readBooks(mount)).kinds.filter((kind) => kind === 'charge').length;
}

// They wait for most of their time.
for (const client of [openaiForNode, openaiForPython, litellm])
  describe(`conversations of ${client.name}`, { concurrency: 3 }, () => {
    test(`${client.name}: a conversation makes a picture and edits it`, async (t) => {
      const mount = await openMount(t, client);
      const [choice] = resultOf(await mount.call(conversation(client, [FOX]))).choices;
      await assertPicture(choice.message.images[0]);
      const turn = { role: 'assistant', content: '', images: choice.message.images };
      const night = { role: 'user', content: 'at night' };
      const edited = resultOf(await mount.call(conversation(client, [FOX, turn, night])));
      await assertPicture(edited.choices[0].message.images[0]);
      const { tasks } = await readBooks(mount);
      assert.deepEqual(tasks.map(({ input }) => input.image_urls?.length ?? 0).sort(), [0, 1]);
      assert.equal(await chargesOf(mount), 2);
    });

    test(`${client.name}: a conversation is streamed`, async (t) => {
      const mount = await openMount(t, client);
      const chunks = resultOf(await mount.call(conversation(client, [FOX], { stream: true })));
      const images = chunks.flatMap(({ choices }: { choices: { delta: { images?: object[] } }[] }) =>
        choices.flatMap(({ delta }) => delta.images ?? []),
      );
      assert.equal(images.length, 1);
      await assertPicture(images[0]);
      assert.equal(await chargesOf(mount), 1);
    });

    test(`${client.name}: a text model is refused with a sentence, once`, async (t) => {
      const mount = await openMount(t, client);
      const { error } = await mount.call(conversation(client, [FOX], { model: 'gpt-5.4' }));
      assert.equal(error?.status, 404);
      assert.match(error?.message ?? '', /no text models/);
      assert.equal(mount.proxy.sent(ORDER).length, 1);
      await assertNoOrder(mount);
    });

    for (const fault of FAULTS) {
      const outcome = outcomeOf(client, fault);
      test(`${client.name}, a conversation: ${fault}, ${outcome}`, async (t) => {
        const mount = await openMount(t, client);
        mount.proxy.fail(ORDER, fault);
        const { value } = await mount.call(conversation(client, [FOX]));
        const told = value === undefined ? 'an error' : 'a picture';
        assert.equal(`${told}, ${await chargesOf(mount)} charged`, outcome);
      });
    }
  });

describe('pictures of LiteLLM', { concurrency: 3 }, () => {
  for (const fault of FAULTS) {
    const outcome = outcomeOf(litellm, fault);
    test(`${litellm.name}, image_generation: ${fault}, ${outcome}`, async (t) => {
      const mount = await openMount(t, litellm);
      mount.proxy.fail(ORDER, fault);
      const { value } = await mount.call(['imageGeneration', IMAGE]);
      const told = value === undefined ? 'an error' : 'a picture';
      assert.equal(`${told}, ${await chargesOf(mount)} charged`, outcome);
    });
  }
});
