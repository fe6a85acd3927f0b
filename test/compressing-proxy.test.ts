import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { openCaddy } from './helpers/caddy.ts';
import { findDebianProgram } from './helpers/debian-program.ts';
import { startTestService } from './helpers/service.ts';
import { wholeFile } from './helpers/whole-file.ts';

const caddy = await findDebianProgram(wholeFile, '/usr/bin/caddy', ['caddy']);

test('a proxy that compresses answers passes each event on as it comes', {
  skip: caddy === null && 'needs caddy, which the Debian package of that name contains',
}, async (t) => {
  assert.ok(caddy !== null);
  const port = await freePort();
  const proxy = await openCaddy(t, caddy, `encode gzip zstd\nreverse_proxy 127.0.0.1:${port}`);
  const { call, keys } = await startTestService(t, { env: { DARKROOM_PORT: `${port}`, DARKROOM_PUBLIC_URL: proxy } });
  const order = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' } };
  const { data } = await call(keys.test, 'POST', '/v1/images', order);
  for (let round = 0; round < 20; round++) {
    const left = new AbortController();
    const headers = { 'accept-encoding': 'gzip' };
    const signal = AbortSignal.any([left.signal, AbortSignal.timeout(10_000)]);
    const answer = await fetch(data.urls.events, { headers, signal });
    assert.equal(answer.headers.get('content-encoding'), null);
    let text = '';
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.includes('event: task')) break;
    }
    assert.match(text, /^: open\n\nid: \d+\nevent: task\n/);
    left.abort();
  }
});
