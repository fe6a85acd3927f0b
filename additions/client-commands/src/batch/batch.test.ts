import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Fault } from '../../../../test/clients/fault-proxy.ts';
import { startCommandService } from '../../../../test/helpers/command-service.ts';
import { wholeFile } from '../../../../test/helpers/whole-file.ts';

const { newUser } = await startCommandService(wholeFile);
const HIDDEN = '.darkroom-batch';

function line(name: string | null, body: object = {}, rest: object = {}): string {
  const whole = { model_id: 'sketch', prompt: 'a fox', size: '256x256', ...body };
  return JSON.stringify({ ...(name === null ? {} : { name }), operation: 'images', body: whole, ...rest });
}

/** A user with `orders.jsonl` and the command for batches. */
async function prepare(t: TestContext, lines: readonly string[]) {
  const user = await newUser(t);
  const { directory, proxy, read } = user;
  await writeFile(join(directory, 'orders.jsonl'), lines.join('\n'));
  const out = join(directory, 'out');
  return {
    directory,
    out,
    proxy,
    read,
    run: (...words: string[]) => user.run('batch', ...words),
    pipe: (input: string, ...words: string[]) => user.pipe(input, 'batch', ...words),
    start: (...words: string[]) => user.start('batch', ...words),
    files: async () => (await readdir(out)).filter((name) => name !== HIDDEN).sort(),
    batches: async () => (await read('/v1/batches')).items,
    holds: async () =>
      (await read('/v1/account/ledger?limit=100')).items.filter((entry) => entry.kind === 'hold').length,
    /** Every task's file is there, complete, under the name of its order. */
    async assertWhole() {
      const [batch] = (await read('/v1/batches')).items;
      const { items } = await read(`/v1/batches/${batch.batch_id}/tasks?limit=100`);
      for (const task of items) {
        const bytes = await readFile(join(out, `${task.batch_name ?? task.task_id}.png`));
        assert.equal(createHash('sha256').update(bytes).digest('hex'), task.outputs[0].sha256);
      }
    },
  };
}

test('a batch is quoted, placed and saved, and the same command then finds it complete', async (t) => {
  const batch = await prepare(t, [
    line('hero'),
    '',
    line('size', {}, { vary: { seed: [1, 2] } }),
    line(null, { prompt: 'a boat' }),
  ]);
  const words = ['orders.jsonl', '--max-price', '1', '-o', 'out', '--metadata', 'job=42', '--max-parallel', '2'];
  const { code, stdout, stderr } = await batch.run(...words);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /sketch +4 +0\.02\n4 orders: 0\.02 USD\n/);
  assert.match(stdout, /^bat_\w+ {2}succeeded {2}4 succeeded {2}0\.02 of 0\.02 USD charged\n4 of 4 saved in out\n$/);
  const [found] = await batch.batches();
  assert.deepEqual([found.metadata, found.max_parallel], [{ job: '42' }, 2]);
  assert.equal((await batch.files()).length, 4);
  await batch.assertWhole();
  await rm(join(batch.out, 'hero.png'));
  const again = await batch.run(...words, '--json');
  assert.equal(again.code, 0);
  const document = JSON.parse(again.stdout);
  assert.deepEqual([document.batch.batch_id, document.files.length], [found.batch_id, 4]);
  await batch.assertWhole();
  assert.equal(batch.proxy.sent(/\/content$/).length, 5);
  assert.equal(await batch.holds(), 1);
});

/** Each names a request, what becomes of it, and when the command is killed. */
const KILLS: readonly (readonly [string, RegExp, Fault])[] = [
  ['before the price is known', /^POST \/v1\/batches\/prices/, 'drop answer'],
  ['before the order reaches the service', /^POST \/v1\/batches\?/, 'cut before'],
  ['within the order', /^POST \/v1\/batches\?/, 'cut within'],
  ['after the service took the order, before its answer', /^POST \/v1\/batches\?/, 'drop answer'],
  ['before the first result', /^GET \/v1\/batches\/\w+\/tasks/, 'drop answer'],
  ['within a download', /\/content$/, { cutAfter: 50 }],
];
test(`a command that is killed and run again, at ${KILLS.length} points one after the other, orders one batch and saves all of it`, async (t) => {
  const names = Array.from({ length: 12 }, (_, at) => `fox-${at}`);
  const batch = await prepare(
    t,
    names.map((name) => line(name)),
  );
  const words = ['orders.jsonl', '--max-price', '1', '-o', 'out'];
  for (const [what, match, fault] of KILLS) {
    const already = batch.proxy.sent(match).length;
    batch.proxy.fail(match, fault);
    const running = batch.start(...words);
    await batch.proxy.count(match, already + 1);
    if (fault === 'drop answer')
      await until(
        () => batch.proxy.sent(match).at(-1)?.status,
        (status) => status !== undefined,
      );
    running.process.kill('SIGKILL');
    assert.deepEqual(await once(running.process, 'exit'), [null, 'SIGKILL'], what);
    assert.ok((await batch.batches()).length <= 1, what);
  }
  const { code, stderr } = await batch.run(...words);
  assert.equal(code, 0, stderr);
  assert.equal((await batch.batches()).length, 1);
  assert.equal(await batch.holds(), 1);
  assert.deepEqual(await batch.files(), names.map((name) => `${name}.png`).sort());
  await batch.assertWhole();
  assert.deepEqual(await readdir(join(batch.out, HIDDEN)), ['batch.json']);
  const { cost } = (await batch.batches())[0];
  assert.deepEqual([cost.charged, cost.held], [cost.quoted, '0.00']);
});

test('Ctrl-C ends the command and not the batch, and tells how to go on and how to cancel', async (t) => {
  const slow = { simulate: { seconds: 4 } };
  const batch = await prepare(t, [line('one', slow), line('two', slow), line('three', slow)]);
  const running = batch.start('orders.jsonl', '--yes', '-o', 'out', '--max-parallel', '1');
  await batch.proxy.count(/^GET \/v1\/batches\/\w+$/, 1);
  await until(batch.batches, ([placed]) => placed.counts.processing === 1);
  running.process.kill('SIGINT');
  const { code, stderr } = await running.ended;
  assert.equal(code, 130);
  assert.match(
    stderr,
    /The batch continues: bat_\w+\nGo on with it: darkroom batch -o out\nCancel .*: darkroom batch -o out --cancel\n/,
  );
  const canceled = await batch.run('-o', 'out', '--cancel');
  assert.equal(canceled.code, 0, canceled.stderr);
  const rest = await batch.run('-o', 'out', '--json');
  assert.equal(rest.code, 1);
  const document = JSON.parse(rest.stdout);
  assert.equal(document.batch.status, 'canceled');
  // What had started goes on; the last has not. A slow machine may have begun the second meanwhile.
  const saved = document.files.map(({ name }: { name: string }) => name).sort();
  assert.deepEqual(saved, ['one', 'two'].slice(0, Math.max(1, saved.length)));
  assert.deepEqual(
    document.missing.map(({ name }: { name: string }) => name).sort(),
    ['one', 'three', 'two'].filter((name) => !saved.includes(name)),
  );
  assert.equal(await batch.holds(), 1);
});

test('nothing is ordered without agreement, above the highest price, or if an order is wrong; a later try is a new one', async (t) => {
  const batch = await prepare(t, [line('one'), line('two')]);
  const asked = await batch.run('orders.jsonl', '-o', 'out');
  assert.deepEqual([asked.code, /Add --yes to order it/.test(asked.stderr)], [2, true]);
  const dear = await batch.run('orders.jsonl', '-o', 'out', '--max-price', '0.001');
  assert.equal(dear.code, 1);
  assert.match(dear.stderr, /costs 0\.01 USD, more than --max-price 0\.001\. Nothing was ordered/);
  await writeFile(
    join(batch.directory, 'orders.jsonl'),
    [line('one'), line('one', { aspect_ratio: '7:3' })].join('\n'),
  );
  const wrong = await batch.run('orders.jsonl', '-o', 'out', '--yes');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^line 2: .*'one'/m);
  assert.deepEqual(await readdir(batch.directory), ['orders.jsonl']);
  assert.deepEqual([await batch.batches(), batch.proxy.sent(/^POST \/v1\/batches\?/).length], [[], 0]);
  await writeFile(join(batch.directory, 'orders.jsonl'), `\ufeff${line('one')}`, 'utf16le');
  const wide = await batch.run('orders.jsonl', '-o', 'out', '--yes');
  assert.match(wide.stderr, /^orders\.jsonl: expected a text in UTF-8, found UTF-16\. Save it as UTF-8\.\n$/);
  const none = await batch.run('-o', 'out');
  assert.match(none.stderr, /No batch was ordered into out/);
});

test('files of others are never replaced, and a folder takes one batch', async (t) => {
  const batch = await prepare(t, [line('hero')]);
  await batch.run('orders.jsonl', '--yes', '-o', 'out', '--no-wait');
  await writeFile(join(batch.out, 'hero.png'), 'mine');
  const { code, stderr } = await batch.run('orders.jsonl', '-o', 'out');
  assert.equal(code, 0, stderr);
  assert.equal(await readFile(join(batch.out, 'hero.png'), 'utf8'), 'mine');
  assert.match((await batch.files()).join(), /^hero\.img_\w+\.png,hero\.png$/);
  const other = await batch.pipe(line('other'), '-', '--yes', '-o', 'out');
  assert.equal(other.code, 1);
  assert.match(other.stderr, /Other orders were placed into out before/);
  assert.equal(await batch.holds(), 1);
});

test('orders come from standard input, local files in them are uploaded once, and failed orders are told', async (t) => {
  const batch = await prepare(t, [line('photo')]);
  await batch.run('orders.jsonl', '--yes', '-o', 'out');
  const media = { image_urls: ['out/photo.png'] };
  const lines = [line('one', media), line('two', media), line('three', { simulate: { outcome: 'content_policy' } })];
  const { code, stderr } = await batch.pipe(`\ufeff${lines.join('\n')}`, '-', '--max-price', '1', '-o', 'second');
  assert.equal(code, 1);
  assert.match(stderr, /^three: failed: .* \(content_policy\)$/m);
  assert.match(stderr, /partial {2}2 succeeded, 1 failed.*\n2 of 3 saved in second/);
  assert.equal(batch.proxy.sent(/^POST \/v1\/files$/).length, 1);
  const missing = await batch.pipe(line('one', { image_urls: ['none.png'] }), '-', '--yes', '-o', 'third');
  assert.match(missing.stderr, /line 1: image_urls: expected a file.*found 'none\.png'/);
});

test('a service that is away is told, and the order that it may have taken is found again', async (t) => {
  const batch = await prepare(t, [line('hero')]);
  batch.proxy.fail(/^POST \/v1\/batches\?/, 'lose answer');
  const lost = await batch.run('orders.jsonl', '--yes', '-o', 'out');
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /may have been placed\. Run the same command again/);
  const unknown = await batch.run('-o', 'out', '--cancel');
  assert.match(unknown.stderr, /Whether the batch was placed is unknown/);
  const { code } = await batch.run('-o', 'out');
  assert.deepEqual([code, await batch.holds(), await batch.files()], [0, 1, ['hero.png']]);
});
