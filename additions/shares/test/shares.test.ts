import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DataOf, startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Share links: what they show, to whom, and when they end. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
const { call, keys, make } = service;
type ShareAnswer = DataOf<'POST', '/v1/shares'>;

const DAY_MS = 86_400_000;
const PROMPT = 'a fox & "owl" <script>alert(1)</script>';
const order = { model_id: 'sketch', prompt: PROMPT, resolution: '0.5K', end_user: 'ann', metadata: { note: 'secret' } };
const film = { model_id: 'sketch-motion', prompt: 'a boat', duration: 1, resolution: '480p' };
const [image, video] = await Promise.all([make(keys.test, '/v1/images', order), make(keys.test, '/v1/videos', film)]);

async function share(taskId: string, more: object = {}, key = keys.test): Promise<ShareAnswer> {
  const answer = await call(key, 'POST', '/v1/shares', { task_id: taskId, ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.data;
}

/** What people without a key get at both addresses of a link. */
async function statusesOf({ url, file_url }: Pick<ShareAnswer, 'url' | 'file_url'>): Promise<number[]> {
  const answers = await Promise.all([fetch(url), fetch(file_url)]);
  for (const { body } of answers) await body?.cancel();
  return answers.map(({ status }) => status);
}

test('a link shows the image to people without a key, and nothing that was not shared', async () => {
  const link = await share(image.task_id, { expires_in: 3_600 });
  assert.deepEqual(
    [link.task_id, link.type, link.show_prompt, Date.parse(link.expires_at) - Date.parse(link.created_at)],
    [image.task_id, 'image', false, 3_600_000],
  );
  const page = await fetch(link.url);
  const html = await page.text();
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  for (const [name, value] of [
    ['cache-control', /^no-store$/],
    ['x-robots-tag', /noindex/],
    ['referrer-policy', /^no-referrer$/],
    ['x-frame-options', /^DENY$/],
    ['x-content-type-options', /^nosniff$/],
    ['content-security-policy', /^default-src 'none'; img-src 'self'; media-src 'self'; style-src 'sha256-/],
  ] as const)
    assert.match(page.headers.get(name) ?? '', value, name);
  for (const hidden of [image.task_id, 'fox', 'ann', 'secret', 'sketch', keys.test])
    assert.ok(!html.includes(hidden), hidden);

  const [, source = ''] = /<img src="([^"]+)"/.exec(html) ?? [];
  const file = await fetch(new URL(source.replaceAll('&amp;', '&'), link.url));
  const bytes = Buffer.from(await file.arrayBuffer());
  const own = await fetch(image.outputs[0]!.url);
  assert.ok(bytes.equals(Buffer.from(await own.arrayBuffer())), 'the file is the output, unchanged');
  assert.deepEqual(
    [file.headers.get('content-type'), file.headers.get('cache-control'), file.headers.get('content-disposition')],
    ['image/png', 'private, max-age=0, immutable', 'inline; filename="shared-image.png"'],
  );
  const part = await fetch(`${link.file_url}&download=1`, { headers: { range: 'bytes=0-3' } });
  assert.deepEqual(
    [part.status, (await part.arrayBuffer()).byteLength, part.headers.get('content-disposition')],
    [206, 4, 'attachment; filename="shared-image.png"'],
  );
  assert.ok(![...file.headers.values(), ...part.headers.values()].join().includes(image.task_id));
  const head = await fetch(link.file_url, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
  const unchanged = await fetch(link.file_url, { headers: { 'if-none-match': file.headers.get('etag') ?? '' } });
  assert.equal(unchanged.status, 304);
});

test('the prompt is shown only if its owner chose so, and a film has a poster', async () => {
  const told = await share(image.task_id, { show_prompt: true });
  const html = await (await fetch(told.url)).text();
  assert.ok(html.includes('a fox &amp; &quot;owl&quot; &lt;script&gt;alert(1)&lt;/script&gt;'));
  assert.ok(!html.includes('<script'));
  const moving = await share(video.task_id);
  assert.equal(moving.type, 'video');
  const [, poster = ''] = /<video src="[^"]+"[^>]* poster="([^"]+)"/.exec(await (await fetch(moving.url)).text()) ?? [];
  const still = await fetch(new URL(poster.replaceAll('&amp;', '&'), moving.url));
  assert.deepEqual([still.status, still.headers.get('content-type')], [200, 'image/webp']);
  await still.body?.cancel();
});

/** The preview tags of a page, by name. */
async function tagsOf(link: Pick<ShareAnswer, 'url'>): Promise<Record<string, string>> {
  const html = await (await fetch(link.url)).text();
  const tags = [...html.matchAll(/<meta (?:property|name)="([\w:]+:[\w:]+)" content="([^"]*)">/g)];
  const plain = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return Object.fromEntries(tags.map(([, name = '', content = '']) => [name, plain(content)]));
}

test('a chat shows a link as a card: its tags name the picture and the film, which need no key and end with the link', async () => {
  const told = await share(image.task_id, { show_prompt: true });
  const { width, height } = image.outputs[0]!;
  assert.deepEqual(await tagsOf(told), {
    'og:title': 'Shared image',
    'og:type': 'website',
    'og:url': told.url,
    'og:description': PROMPT,
    'og:image': told.file_url,
    'og:image:width': String(width),
    'og:image:height': String(height),
    'og:image:alt': 'Shared image',
    'twitter:card': 'summary_large_image',
  });
  assert.equal((await tagsOf(await share(image.task_id)))['og:description'], undefined);
  const moving = await share(video.task_id);
  const tags = await tagsOf(moving);
  assert.deepEqual(
    ['og:type', 'og:video', 'og:video:type', 'og:video:width'].map((name) => tags[name]),
    ['video.other', moving.file_url, 'video/mp4', String(video.outputs[0]!.width)],
  );
  const still = tags['og:image'] ?? '';
  const picture = await fetch(still);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
  await picture.body?.cancel();
  const list = (await call(keys.test, 'POST', '/v1/shares', { task_ids: [video.task_id, image.task_id] })).data;
  const { 'og:title': title, 'og:video': first = '' } = await tagsOf(list);
  assert.deepEqual([title, new URL(first).pathname.endsWith('/files/1')], ['Shared images and videos (2)', true]);
  await call(keys.test, 'DELETE', `/v1/shares/${moving.share_id}`);
  assert.deepEqual(await tagsOf(moving), {});
  const ended = await fetch(still);
  assert.equal(ended.status, 410);
  await ended.body?.cancel();
});

test('nothing of a link can be changed, and no other signature opens it', async () => {
  const link = await share(image.task_id);
  const other = await share(video.task_id);
  const query = new URL(link.url).search;
  const last = link.url.at(-1) === 'A' ? 'B' : 'A';
  const forged = (address: string) => [
    address.slice(0, -1) + last,
    address.replace(/expires=\d/, 'expires=9'),
    address.replace(link.share_id, other.share_id),
    address.replace(query, ''),
    address.replace(query, new URL(image.outputs[0]!.url).search),
    address.replace(query, new URL(image.urls.events).search),
  ];
  for (const address of [...forged(link.url), ...forged(link.file_url)]) {
    const answer = await fetch(address);
    assert.equal(answer.status, 403, address);
    await answer.body?.cancel();
  }
  const stored = new URL(image.outputs[0]!.url);
  const answer = await fetch(`${stored.origin}${stored.pathname}${query}`);
  assert.equal(answer.status, 403, 'the signature of a link opens no file');
  await answer.body?.cancel();
});

test('a link ends when it is revoked, expires, or its task is deleted', async () => {
  const revoked = await share(image.task_id);
  const address = `/v1/shares/${revoked.share_id}` as const;
  assert.deepEqual((await call(keys.test, 'GET', address)).data, revoked);
  const confirmed = await call(keys.test, 'DELETE', address);
  assert.deepEqual([confirmed.status, confirmed.data.share_id], [200, revoked.share_id]);
  assert.deepEqual(await statusesOf(revoked), [410, 410]);
  const page = await fetch(revoked.url);
  assert.match(await page.text(), /This link has expired or was revoked/);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  for (const method of ['GET', 'DELETE'] as const) assert.equal((await call(keys.test, method, address)).status, 404);

  const short = await share(image.task_id, { expires_in: 60 });
  clock.advance(59_000);
  assert.deepEqual(await statusesOf(short), [200, 200]);
  clock.advance(1_001);
  assert.deepEqual(await statusesOf(short), [410, 410]);
  assert.equal((await call(keys.test, 'GET', `/v1/shares/${short.share_id}`)).status, 404);

  const doomed = await make(keys.test, '/v1/images', order);
  const link = await share(doomed.task_id);
  assert.deepEqual(await statusesOf(link), [200, 200]);
  assert.equal((await call(keys.test, 'DELETE', doomed.urls.self)).status, 200);
  assert.deepEqual(await statusesOf(link), [410, 410]);
  assert.equal((await call(keys.test, 'GET', `/v1/shares/${link.share_id}`)).status, 404);
});

test('a link ends with its key, revoked or expired', async () => {
  for (const end of [
    async (id: string) => {
      assert.equal((await call(keys.admin, 'POST', `/admin/v1/keys/${id}/revoke`)).status, 200);
    },
    async () => clock.advance(DAY_MS),
  ]) {
    const { key, key_id: id } = await service.issueKey({ mode: 'test', expiresAt: clock.now() + DAY_MS });
    const task = await make(key, '/v1/images', order);
    const link = await share(task.task_id, {}, key);
    assert.deepEqual(await statusesOf(link), [200, 200]);
    await end(id);
    assert.deepEqual(await statusesOf(link), [410, 410]);
  }
});

test('only a result that is there can be shared, only by its key, and no longer than its files are kept', async () => {
  const waiting = await call(keys.test, 'POST', '/v1/images', { ...order, simulate: { outcome: 'stuck' } });
  const failed = await make(keys.test, '/v1/images', { ...order, simulate: { outcome: 'content_policy' } });
  const gone = await make(keys.test, '/v1/images', order);
  assert.equal((await call(keys.test, 'DELETE', gone.urls.self)).status, 200);
  const { key: other } = await service.issueKey({ mode: 'test' });
  for (const [key, body, status, code] of [
    [keys.test, { task_id: waiting.data.task_id }, 409, 'not_final'],
    [keys.test, { task_id: failed.task_id }, 404, 'not_found'],
    [keys.test, { task_id: gone.task_id }, 404, 'task_not_found'],
    [keys.live, { task_id: image.task_id }, 404, 'task_not_found'],
    [other, { task_id: image.task_id }, 404, 'task_not_found'],
    [keys.test, {}, 400, 'invalid_request'],
    [keys.test, { task_id: image.task_id, expires_in: 59 }, 400, 'invalid_request'],
    [keys.test, { task_id: image.task_id, expires_in: 2_592_001 }, 400, 'invalid_request'],
    [keys.test, { task_id: image.task_id, password: 'x' }, 400, 'unsupported_field'],
  ] as const) {
    const { status: found, error } = await call(key, 'POST', '/v1/shares', body);
    assert.deepEqual([found, error?.code], [status, code], JSON.stringify(body));
  }
  await call(keys.test, 'POST', waiting.data.urls.cancel);
  clock.advance(DAY_MS);
  const long = await share(image.task_id, { expires_in: 30 * 86_400 });
  assert.equal(long.expires_at, image.expires_at);
});

test('links are listed newest first, of one task or all, and only to their own key', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const tasks = await Promise.all([make(key, '/v1/images', order), make(key, '/v1/videos', film)]);
  const links: ShareAnswer[] = [];
  for (let place = 0; place < 5; place++) {
    links.unshift(await share(tasks[place % 2]!.task_id, { expires_in: place === 4 ? 60 : 3_600 }, key));
    clock.advance(1);
  }
  const list = async (query: string, by = key) => (await call(by, 'GET', `/v1/shares?${query}`)).data;
  assert.deepEqual(await list(''), { items: links, limit: 20, has_more: false });
  const first = await list('limit=2');
  assert.deepEqual([first.items, first.has_more], [links.slice(0, 2), true]);
  const rest = await list(`limit=3&after=${first.items[1]!.share_id}`);
  assert.deepEqual([rest.items, rest.has_more], [links.slice(2), false]);
  const films = links.filter(({ type }) => type === 'video');
  assert.deepEqual((await list(`task_id=${tasks[1].task_id}`)).items, films);
  assert.deepEqual((await list('', keys.live)).items, []);
  clock.advance(60_000);
  assert.deepEqual((await list('')).items, links.slice(1), 'an expired link is not listed');
});

test('a key has at most 1,000 links at once, however many are made at the same moment, and expired ones do not count', async () => {
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test' });
  const task = await make(key, '/v1/images', order);
  const other = await make(key, '/v1/images', order);
  const expires_at = clock.now() + 60_000;
  await service.database.write('links', async (trx) => {
    for (let place = 0; place < 995; place++) {
      const link = { id: `shr_${keyId}_${place}`, api_key_id: keyId, shows_prompt: 0, is_list: 1 };
      const rows = [task, other].map(({ task_id }, position) => ({ ...link, task_id, position }));
      const times = { created_at: clock.now(), expires_at };
      await trx.run(trx.builder.insertInto('shares').values(rows.map((row) => ({ ...row, ...times }))));
    }
  });
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call(key, 'POST', '/v1/shares', { task_id: task.task_id })),
  );
  const refused = answers.filter(({ status }) => status === 409);
  assert.deepEqual([answers.filter(({ status }) => status === 201).length, refused.length], [5, 7]);
  assert.equal(refused[0]?.error?.code, 'share_limit_reached');
  clock.advance(60_000);
  await share(task.task_id, {}, key);
});
