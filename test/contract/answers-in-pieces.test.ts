import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { answerInPieces, serveHttp } from '@darkroom-service/testing';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Answers of an upstream that are cut into single bytes, or have long headers: what is paid for is read. */

const picture = await smallPicture;
let posts = 0;
const origin = await serveHttp(wholeFile, (request, response) => {
  const cut = (body: Buffer, type: string) => answerInPieces(response, body, { heads: [`Content-Type: ${type}`] });
  if (request.url === '/picture.png') return cut(picture, 'image/png');
  if (request.method !== 'POST') return void response.end('{"object":"list","data":[]}');
  posts++;
  let sent = '';
  request.on('data', (piece) => {
    sent += piece;
  });
  request.on('end', () => {
    const [, kind, kilobytes = '0'] = /a fox, (\w+)(?: of (\d+) KB)?/.exec(sent) ?? [];
    const file = kind === 'result' ? { url: `${origin}/picture.png` } : { b64_json: picture.toString('base64') };
    const body = Buffer.from(JSON.stringify({ created: 1, data: [file], padding: ' '.repeat(20_000) }));
    if (kind === 'answer') return cut(body, 'application/json');
    response.writeHead(200, { policy: 'x'.repeat(Number(kilobytes) * 1024), 'content-type': 'application/json' });
    response.end(body);
  });
});
const { keys, make } = await startTestService(wholeFile, {
  env: { OPENAI_API_KEY: 'sk-fakefakefakefake', DARKROOM_OPENAI_URL: origin },
});
const order = (words: string) =>
  make(keys.live, '/v1/images', { model_id: 'gpt-image-2', prompt: `a fox, ${words}`, quality: 'low' });

test('an answer to an order and a result in pieces of one byte still make the picture, from one order', async () => {
  for (const words of ['answer', 'result', 'headers of 40 KB']) {
    const before = posts;
    const task = await order(words);
    assert.deepEqual([task.status, task.cost.state], ['succeeded', 'charged'], `${words}: ${task.error?.message}`);
    assert.equal(posts - before, 1, words);
  }
});

test('an order that is answered with headers beyond 64 KB has an unknown outcome, and its reason names them', async () => {
  const before = posts;
  const task = await order('headers of 70 KB');
  assert.deepEqual([task.error?.code, task.cost.state], ['outcome_unknown', 'released']);
  assert.match(task.error.message, /OpenAI sent a response with headers that are too large/);
  assert.equal(posts - before, 1);
});
