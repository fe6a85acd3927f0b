import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withChunk } from '@darkroom-service/engines/fakes/parts';
import { signFile } from '@darkroom-service/media/decoding';
import { until } from '@darkroom-service/testing';
import { plainFilm, testSigning } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { filmEntry, plainEntry } from '../../../test/helpers/plain-entry.ts';
import { startTestService, type TaskAnswer, type TestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** What outputs say about how they were made, and what stays available of the files that upstreams deliver. */

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'painted', routes: [{ engine: 'painter' }] }),
  filmEntry({ model_id: 'filmed', routes: [{ engine: 'painter' }] }),
]);
const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#345' } });
const png = await picture.png().toBuffer();
const FILES: Readonly<Record<string, Buffer>> = {
  png,
  jpeg: await picture.jpeg().toBuffer(),
  webp: await picture.webp().toBuffer(),
  avif: await picture.avif().toBuffer(),
  gif: await picture.gif().toBuffer(),
  mp4: Buffer.from(await plainFilm({ width: 64, height: 48, durationSeconds: 1 }, 'film')),
  signed: await signed(png),
  late: Buffer.concat([png.subarray(0, -12), xmpChunk(), png.subarray(-12)]),
  cut: png.subarray(0, -20),
};
const server = createServer((request, response) => {
  response.end(FILES[request.url?.slice(1) ?? '']);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
wholeFile.after(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A paid upstream: an order's prompt names the file that it gets, `url of …` as an address. */
const painter = createSwiftEngine({
  name: 'painter',
  repeatable: false,
  async check(_operation, { request }) {
    const name = `${request.values.prompt}`;
    const url = `${origin}/${name.slice(7)}`;
    const source = name.startsWith('url of ') ? { url, allowOrigins: [origin] } : { data: FILES[name]! };
    return { status: 'succeeded', delivery: { outputs: [{ source, seed: 1, revisedPrompt: null, tiles: null }] } };
  },
});
const start = (env: Readonly<Record<string, string>>) =>
  startTestService(wholeFile, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory, ...env },
    service: { engines: [createSwiftEngine(), painter] },
  });
const [byDefault, marking] = await Promise.all([start({}), start({ DARKROOM_PROVENANCE: 'metadata' })]);
const paint = ({ make, keys }: TestService, prompt: string, key = keys.live) =>
  prompt === 'mp4'
    ? make(key, '/v1/videos', { model_id: 'filmed', prompt })
    : make(key, '/v1/images', { model_id: 'painted', prompt });

async function fileOf(task: TaskAnswer, query = '', headers = {}): Promise<Buffer> {
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  const response = await fetch(`${task.outputs[0]?.url}${query}`, { headers });
  assert.ok(response.ok, `${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

const sourceOf = (file: Buffer) => /digitalsourcetype\/(\w+)</.exec(file.toString('latin1'))?.[1];
const provenanceOf = (task: TaskAnswer) => task.outputs[0]?.provenance;

test('what is made here says so by default, and what an upstream made is left alone', async () => {
  const { keys, make } = byDefault;
  const own = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  const file = await fileOf(own);
  const { xmpAsString = '' } = await sharp(file).metadata();
  assert.deepEqual(provenanceOf(own), { state: 'marked', standard: 'metadata' });
  assert.equal(sourceOf(Buffer.from(xmpAsString)), 'algorithmicMedia');
  for (const part of [own.task_id, 'Test output', '>sketch<']) assert.ok(xmpAsString.includes(part), part);
  assert.ok(!xmpAsString.includes('fox'), "the prompt is nobody else's business");
  const digest = createHash('sha256').update(file).digest('hex');
  assert.deepEqual([own.outputs[0]?.bytes, own.outputs[0]?.sha256], [file.length, digest]);
  const upstream = await paint(byDefault, 'png');
  assert.deepEqual(provenanceOf(upstream), { state: 'none', standard: null });
  assert.ok(png.equals(await fileOf(upstream)));
  assert.ok(png.equals(await fileOf(upstream, '&variant=original')));
});

test('a picture of the illustrator tells whether a model took part in what it was made from', async () => {
  const { keys, make } = marking;
  const draw = async (more: object) => {
    const task = await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a fox', ...more });
    const { xmpAsString = '' } = await sharp(await fileOf(task)).metadata();
    return { id: task.task_id, source: sourceOf(Buffer.from(xmpAsString)) };
  };
  const own = await draw({});
  const again = await draw({ image_urls: [`task:${own.id}`] });
  const painted = await draw({ image_urls: [`task:${(await paint(marking, 'png')).task_id}`] });
  const repainted = await draw({ image_urls: [`task:${painted.id}`, `task:${own.id}`] });
  const given = await draw({ image_urls: [`data:image/png;base64,${png.toString('base64')}`] });
  assert.deepEqual(
    [own, again, painted, repainted, given].map(({ source }) => source),
    [
      'algorithmicMedia',
      'algorithmicMedia',
      'compositeWithTrainedAlgorithmicMedia',
      'compositeWithTrainedAlgorithmicMedia',
      'compositeSynthetic',
    ],
  );
});

for (const [name, source] of [
  ['png', 'data'],
  ['jpeg', 'data'],
  ['webp', 'data'],
  ['avif', 'data'],
  ['mp4', 'data'],
  ['png', 'url'],
] as const)
  test(`a ${name} of an upstream that comes as ${source} is marked, and its original stays readable`, async () => {
    const task = await paint(marking, source === 'url' ? `url of ${name}` : name);
    assert.deepEqual(provenanceOf(task), { state: 'marked', standard: 'metadata' });
    const [file, original] = [await fileOf(task), FILES[name]!];
    assert.equal(sourceOf(file), 'trainedAlgorithmicMedia');
    assert.ok(original.equals(await fileOf(task, '&variant=original')));
    const { output } = { output: task.outputs[0]! };
    assert.deepEqual([output.bytes, output.sha256], [file.length, createHash('sha256').update(file).digest('hex')]);
    if (name !== 'mp4') assert.deepEqual(await sharp(file).raw().toBuffer(), await sharp(original).raw().toBuffer());
  });

test('the original is served in ranges, with a length and an ETag of its own, to its owner too', async () => {
  const task = await paint(marking, 'jpeg');
  const original = FILES.jpeg!;
  const url = `${task.outputs[0]?.url}&variant=original`;
  for (const [first, last] of [
    [0, 0],
    [10, 200],
    [original.length - 5, original.length - 1],
  ] as const) {
    const response = await fetch(url, { headers: { range: `bytes=${first}-${last}` } });
    assert.equal(response.status, 206);
    assert.equal(response.headers.get('content-range'), `bytes ${first}-${last}/${original.length}`);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), original.subarray(first, last + 1));
  }
  const [marked, head] = await Promise.all([fetch(`${task.outputs[0]?.url}`), fetch(url, { method: 'HEAD' })]);
  assert.equal(head.headers.get('content-length'), `${original.length}`);
  const etag = head.headers.get('etag') ?? '';
  assert.notEqual(etag, marked.headers.get('etag'));
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304);
  const beyond = await fetch(url, { headers: { range: `bytes=${original.length}-` } });
  assert.equal(beyond.status, 416, 'although the marked file is longer');
  const headers = { authorization: `Bearer ${marking.keys.live}` };
  const own = await fetch(`${task.outputs[0]?.content_url}?variant=original`, { headers });
  assert.deepEqual(Buffer.from(await own.arrayBuffer()), original);
});

test('a file that carries a mark or a manifest of its upstream stays as it is', async () => {
  const task = await paint(marking, 'signed');
  assert.deepEqual(provenanceOf(task), { state: 'kept', standard: 'metadata' });
  for (const query of ['', '&variant=original']) assert.ok(FILES.signed!.equals(await fileOf(task, query)));
});

test('an output that cannot be marked is delivered as it came, and customer and operator are told', async () => {
  for (const name of ['gif', 'late', 'url of late']) {
    const task = await paint(marking, name);
    const { state, standard, reason } = provenanceOf(task) ?? {};
    assert.deepEqual([state, standard], ['failed', 'metadata'], name);
    assert.match(`${reason}`, /not marked|XMP behind its pixels/);
    assert.ok(FILES[name.replace('url of ', '')]!.equals(await fileOf(task)), name);
    assert.equal(task.cost.state, 'charged');
  }
  const metrics = String((await marking.call(marking.keys.admin, 'GET', '/metrics')).body);
  assert.match(metrics, /^darkroom_marked_outputs_total\{standard="metadata",state="failed"\} 3$/m);
});

test('a file that is incomplete fails and is not charged, marked or not', async () => {
  for (const name of ['cut', 'url of cut']) {
    const task = await paint(marking, name);
    assert.deepEqual([task.status, task.error?.code, task.cost.state], ['failed', 'upstream_error', 'released'], name);
  }
});

test('an account has a setting of its own, and its prompts are written only if it wants that', async () => {
  const { call, createAccount, issueKey, keys } = marking;
  const accountId = await createAccount(null);
  const { key } = await issueKey({ mode: 'live', accountId });
  const path = `/admin/v1/accounts/${accountId}/provenance`;
  const unsigned = { account_id: accountId, can_sign: false };
  assert.deepEqual((await call(keys.admin, 'GET', path)).data, { ...unsigned, setting: null, prompt: false });
  const set = async (body: object, expected: string) => {
    assert.deepEqual((await call(keys.admin, 'PUT', path, body)).data, { ...unsigned, ...body });
    // Workers read the settings every few seconds.
    await until(
      async () => {
        const task = await paint(marking, 'png', key);
        const file = (await fileOf(task)).toString('latin1');
        return `${provenanceOf(task)?.state}${file.includes('AIPromptInformation>png<') ? ' with prompt' : ''}`;
      },
      (found) => found === expected,
    );
  };
  await set({ setting: 'off', prompt: false }, 'none');
  await set({ setting: null, prompt: true }, 'marked with prompt');
  const refused = await call(keys.admin, 'PUT', path, { setting: 'c2pa', prompt: false });
  assert.deepEqual([refused.status, refused.error.code, refused.error.param], [400, 'invalid_request', 'setting']);
  const unknown = await call(keys.admin, 'PUT', '/admin/v1/accounts/nobody/provenance', {
    setting: null,
    prompt: true,
  });
  assert.equal(unknown.status, 404);
});

test('a caller of the OpenAI interface gets the marked picture', async () => {
  const body = { model: 'painted', prompt: 'png' };
  const answer = await marking.call(marking.keys.live, 'POST', '/openai/v1/images/generations', body);
  const { data } = answer.body as { readonly data: readonly { readonly b64_json: string }[] };
  assert.equal(sourceOf(Buffer.from(data[0]?.b64_json ?? '', 'base64')), 'trainedAlgorithmicMedia');
});

test('the original ends with its output', async () => {
  const { call, keys } = marking;
  const task = await paint(marking, 'png');
  const url = `${task.outputs[0]?.url}&variant=original`;
  assert.equal((await fetch(url)).status, 200);
  await call(keys.live, 'DELETE', `/v1/images/${task.task_id}`);
  assert.equal((await fetch(url)).status, 410);
});

/** The last: it uses up the minute of this machine's address. */
test('who asks again and again for originals without a key must wait, and with a key need not', async () => {
  const { keys, url: base } = marking;
  const task = await paint(marking, 'png');
  const file = `${task.outputs[0]?.url}`;
  // Of a minute's 2 GiB each request takes at least 8 MiB, so that at most 256 pass, and those of the minute's refill.
  let refused: Response | null = null;
  for (let asked = 0; asked < 400 && refused === null; asked++) {
    const answer = await fetch(`${file}&variant=original`);
    await answer.arrayBuffer();
    if (answer.status !== 200) refused = answer;
  }
  assert.deepEqual([refused?.status, refused?.headers.has('retry-after')], [429, true]);
  assert.equal((await fetch(file)).status, 200, 'the output itself is not made for anybody');
  const own = await fetch(`${base}/v1/images/${task.task_id}/content?variant=original`, {
    headers: { authorization: `Bearer ${keys.live}` },
  });
  assert.deepEqual(Buffer.from(await own.arrayBuffer()), png);
});

/** Signs a picture as an upstream does. */
async function signed(bytes: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'upstream-'));
  const [path, to] = [join(folder, 'plain'), join(folder, 'signed')];
  await writeFile(path, bytes);
  const mark = { source: 'trainedAlgorithmicMedia', generator: 'An upstream 1', model: 'its', taskId: '1' } as const;
  await signFile(path, to, {
    contentType: 'image/png',
    ingredients: [],
    signing: await testSigning('ES256'),
    mark: { ...mark, createdAt: new Date(0), prompt: null, isTest: false },
  });
  const made = await readFile(to);
  await rm(folder, { recursive: true });
  return made;
}

function xmpChunk(): Buffer {
  const marked = withChunk(png, 'iTXt', 'XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
  const at = marked.indexOf('iTXt') - 4;
  return marked.subarray(at, at + 12 + marked.readUInt32BE(at));
}
