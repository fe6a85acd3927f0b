import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { serveHttp } from '@darkroom-service/testing';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Paid answers of a blocking upstream of which nothing can be read. */

const picture = await smallPicture;
const base64 = picture.toString('base64');
const NO_TEXT = Buffer.alloc(17 * 1024 * 1024, 0xff);
/** A picture in the answer, which must have 4 KB in base64 to be decoded while it arrives. */
const long = Buffer.concat([picture, Buffer.alloc(6_000, 7)]);

const ANSWERS: Readonly<Record<string, Buffer>> = {
  'too many levels': Buffer.from(`${'['.repeat(100)}{"b64_json":"${long.toString('base64')}"}${']'.repeat(100)}`),
  'no text': NO_TEXT,
  'another form': Buffer.from(JSON.stringify({ pictures: [base64] })),
};
const origin = await serveHttp(wholeFile, (request, response) => {
  if (request.method !== 'POST') return void response.end('{"object":"list","data":[]}');
  let sent = '';
  request.on('data', (piece) => {
    sent += piece;
  });
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(ANSWERS[/a fox, ([a-z ]+)/.exec(sent)?.[1] ?? '']);
  });
});
const { call, config, keys, make } = await startTestService(wholeFile, {
  env: { OPENAI_API_KEY: 'sk-fakefakefakefake', DARKROOM_OPENAI_URL: origin },
});

/** @returns the path of its answer */
async function orderUnread(words: string): Promise<string> {
  await call(keys.admin, 'POST', '/admin/v1/engines/openai/circuit/close');
  const sent = { model_id: 'gpt-image-2', prompt: `a fox, ${words}`, quality: 'low' };
  const task = await make(keys.live, '/v1/images', sent);
  assert.deepEqual([task.error?.code, task.cost.state], ['outcome_unknown', 'released'], words);
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data;
  const { detail } = items.find(({ task_id: id }) => id === task.task_id) ?? assert.fail('it is not reported');
  assert.equal(detail.host, hostname());
  return String(detail.kept_at);
}

test('the operator finds the bytes and the files of a paid answer that cannot be read, up to 16 MB', async () => {
  const nested = await orderUnread('too many levels');
  assert.deepEqual(await readFile(join(nested, '0')), long);
  assert.match(await readFile(join(nested, 'answer'), 'utf8'), /^\[{100}\{"b64_json":"/);
  const noText = await orderUnread('no text');
  assert.deepEqual(await readFile(join(noText, 'answer')), NO_TEXT.subarray(0, 16 * 1024 * 1024));
  const other = await orderUnread('another form');
  assert.deepEqual(await readFile(join(other, 'answer')), ANSWERS['another form']);
  const kept = await readdir(join(config.dataDirectory, 'spool', 'late-results'));
  assert.equal(kept.filter((name) => name.startsWith('.')).length, 0, 'nothing incomplete is left');
});
