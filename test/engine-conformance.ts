import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { createLog, type Log } from '../src/base/log.ts';
import type { Engine } from '../src/engines/engine.ts';
import type { EngineTools } from '../src/engines/upstream/submit-poll-engine.ts';
import { createTrustedFetch, type TrustedFetch } from '../src/net/trusted-fetch.ts';
import { openCatalogOverlay } from './catalog-overlay.ts';
import { conformanceEntry } from './conformance-entry.ts';
import type { FakeUpstream } from './fakes/fake-upstream.ts';
import { startTestService, type TestService, type WireValue } from './service.ts';
import { until } from './until.ts';

/** What the suite needs to know of an engine. */
export interface EngineHarness {
  openFake(): Promise<FakeUpstream>;
  openEngine(fake: FakeUpstream, tools: EngineTools & { readonly fetch: TrustedFetch; readonly key: string }): Engine;
  /** Routes of the model `conformance` (see `conformance-entry.ts`). */
  readonly routes: readonly object[];
  /** No handle: a crash leaves the outcome unknown, and there are no checks. */
  readonly blocking?: boolean;
  /** Words for the prompt, and how the task must end. */
  readonly ends: Readonly<Record<string, Ending>>;
  /** Fields sent, and what must arrive upstream. */
  readonly inputs: readonly { readonly fields: object; readonly input: object }[];
  /** Bytes of a picture that the upstream takes inside the order, and whether a larger one is uploaded. */
  readonly references: { readonly inline: number; readonly uploads: boolean; readonly field: string };
}

export interface Ending {
  readonly status: 'succeeded' | 'failed' | 'canceled';
  readonly code?: string;
  readonly message?: RegExp;
}

const CALL_TIMEOUT_MS = 1500;
const CHECK_EVERY_MS = 40;
const WORKING = ['queued', 'processing'];

/**
 * What every engine must do, driven through the service's own workers against a fake of its upstream. Kills of the process are in
 * `crash/engine-kills.ts`.
 */
export function engineConformance(name: string, harness: EngineHarness): void {
  describe(`${name} as an engine`, () => {
    let fake: FakeUpstream;
    let service: TestService;
    const logged: string[] = [];
    const clock: Clock & { aheadMs: number } = { aheadMs: 0, now: () => systemClock.now() + clock.aheadMs };
    const closers: (() => Promise<void> | void)[] = [];
    const later = { after: (close: () => Promise<void> | void) => void closers.push(close) };
    let orders = 0;

    before(async () => {
      fake = await harness.openFake();
      closers.push(() => fake.stop());
      const log = createLog('warn', { write: (line: string) => void logged.push(line) });
      const models = [
        conformanceEntry('conformance', harness.routes),
        conformanceEntry(
          'conformance-wrong-key',
          harness.routes.map((route) => ({ ...route, engine: 'wrong-key' })),
        ),
      ];
      service = await startTestService(later as Parameters<typeof startTestService>[0], {
        env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(later as never, models)).directory },
        service: { clock, log, engines: [open(log, fake.key), { ...open(log, 'wrong-key-0815'), name: 'wrong-key' }] },
      });
    });
    after(async () => {
      for (const close of closers.reverse()) await close();
    });

    function open(log: Log, key: string): Engine {
      const { fetch, close } = createTrustedFetch({ allowedAddresses: [], connectTimeoutMs: 1000 });
      closers.unshift(close);
      const pace = { checkEveryMs: CHECK_EVERY_MS, callTimeoutMs: CALL_TIMEOUT_MS };
      return harness.openEngine(fake, { clock, log, fetch, key, ...pace });
    }

    /** Orders and waits for the end. `job` is the name that the fake counts by. */
    async function make(words: string, fields: object = {}): Promise<{ task: WireValue; job: string }> {
      const job = `${++orders}`;
      const prompt = `a fox [[job=${job} ${words}]]`;
      const task = await service.make(service.keys.live, '/v1/images', { model_id: 'conformance', prompt, ...fields });
      return { task, job };
    }

    function assertEnded(task: WireValue, { status, code, message }: Ending, about: string): void {
      assert.equal(task.status, status, `${about}: ${JSON.stringify(task.error ?? task)}`);
      assert.equal(task.error?.code, code, about);
      if (message !== undefined) assert.match(task.error.message, message, about);
      const cost = status === 'succeeded' ? ['charged', '0.01'] : ['released', '0.00'];
      assert.deepEqual([task.cost.state, task.cost.amount], cost, about);
    }

    describe('whatever else goes on', { concurrency: true }, () => {
      it('delivers what was ordered, once, and measures it', async () => {
        const { task, job } = await make('file=png');
        assertEnded(task, { status: 'succeeded' }, 'a plain order');
        const [output] = task.outputs;
        assert.deepEqual([output.content_type, output.width, output.height], ['image/png', 48, 32]);
        const { attempts, accepted } = fake.counts(job);
        assert.deepEqual({ attempts, accepted }, { attempts: 1, accepted: 1 });
      });

      it('says orders in the words of the upstream, and nothing else', async () => {
        for (const { fields, input } of harness.inputs) {
          const { task, job } = await make('', fields);
          assertEnded(task, { status: 'succeeded' }, JSON.stringify(fields));
          const received = [...fake.jobs.values()].find((one) => one.name === job)?.input ?? {};
          const { prompt, ...rest } = received;
          assert.equal(prompt, `a fox [[job=${job} ]]`);
          assert.deepEqual(rest, input);
        }
        const refused = await service.call(service.keys.live, 'POST', '/v1/images', {
          model_id: 'conformance',
          prompt: 'a fox',
          style: 'ink',
        });
        assert.deepEqual(
          [refused.status, refused.error.code, refused.error.param],
          [400, 'unsupported_field', 'style'],
        );
      });

      it('ends as the upstream ended, with its own reason', async () => {
        const made = Object.entries(harness.ends).map(async ([words, ending]) => ({
          words,
          ending,
          ...(await make(words)),
        }));
        for (const { words, ending, task, job } of await Promise.all(made)) {
          assertEnded(task, ending, words);
          assert.ok(fake.counts(job).accepted <= 1, words);
        }
      });

      it('tells a refusal from trouble with key and purse', async () => {
        const [billing, invalid] = await Promise.all([make('submit=billing times=9'), make('submit=invalid times=9')]);
        assertEnded(billing.task, { status: 'failed', code: 'upstream_billing' }, 'out of credit');
        assertEnded(invalid.task, { status: 'failed', code: 'invalid_input', message: /short/ }, 'an invalid order');
        for (const { job } of [billing, invalid]) {
          assert.deepEqual([fake.counts(job).attempts, fake.counts(job).accepted], [1, 0]);
        }
        const wrong = await service.make(service.keys.live, '/v1/images', {
          model_id: 'conformance-wrong-key',
          prompt: 'a fox',
        });
        assertEnded(wrong, { status: 'failed', code: 'upstream_auth' }, 'a wrong key');
        assert.doesNotMatch(wrong.error.message, /0815/);
      });

      it('offers again what was certainly not taken', async () => {
        const words = ['busy', 'busyfor', 'busyuntil'];
        const made = await Promise.all(words.map((word) => make(`submit=${word}`)));
        for (const { task, job } of made) {
          assertEnded(task, { status: 'succeeded' }, job);
          assert.deepEqual([fake.counts(job).attempts, fake.counts(job).accepted], [2, 1]);
        }
      });

      it('never sends again what may have been taken', async () => {
        const words = ['reset', 'hang', 'html500', 'html503', 'nojson', 'nohandle', 'empty'];
        const made = await Promise.all(words.map(async (word) => ({ word, ...(await make(`submit=${word}`)) })));
        for (const { word, task, job } of made) {
          assertEnded(task, { status: 'failed', code: 'outcome_unknown' }, word);
          assert.deepEqual([fake.counts(job).attempts, fake.counts(job).accepted], [1, 1], word);
        }
        const { data } = await service.call(service.keys.admin, 'GET', '/admin/v1/reconciliation');
        const listed = new Set(data.items.map((item: WireValue) => item.task_id));
        for (const { task } of made) assert.ok(listed.has(task.task_id));
      });

      it('takes files of every kind by what they hold, and refuses what is none of ours', async () => {
        const good = { png: 'png', jpeg: 'jpeg', webp: 'webp', wrongtype: 'webp', nolength: 'png', redirect: 'png' };
        const bad = { oversize: /larger than/, private: /may not be reached/, garbage: /cannot be used/ };
        // Gone or broken at first: the upstream is asked again where the result lies.
        const second = harness.blocking === true ? {} : { late: 'png', broken: 'png' };
        const fetched = await Promise.all(
          Object.entries({ ...good, ...second }).map(async ([file, type]) => ({
            file,
            type,
            ...(await make(`file=${file}`)),
          })),
        );
        for (const { file, type, task, job } of fetched) {
          assertEnded(task, { status: 'succeeded' }, file);
          assert.equal(task.outputs[0].content_type, `image/${type}`);
          assert.equal(fake.counts(job).accepted, 1);
        }
        for (const [file, message] of Object.entries(bad)) {
          const { task } = await make(`file=${file}`);
          assertEnded(task, { status: 'failed', code: 'upstream_error', message }, file);
        }
      });

      it('hands over pictures that only we can see', async () => {
        const { inline, uploads, field } = harness.references;
        const small = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#35a' } })
          .png()
          .toBuffer();
        const side = Math.ceil(Math.sqrt(inline / 3)) + 64;
        const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
        const large = await sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } })
          .png({ compressionLevel: 0 })
          .toBuffer();
        for (const bytes of uploads ? [small, large] : [small]) {
          const file = await fetch(`${service.url}/v1/files`, {
            method: 'POST',
            headers: { authorization: `Bearer ${service.keys.live}`, 'content-type': 'image/png' },
            body: new Uint8Array(bytes),
          });
          const { data } = (await file.json()) as WireValue;
          const { task, job } = await make('', { image_urls: [`upload:${data.file_id}`] });
          assertEnded(task, { status: 'succeeded' }, `a picture of ${bytes.length} bytes`);
          const input = [...fake.jobs.values()].find((one) => one.name === job)?.input ?? {};
          const given = String([input[field]].flat()[0]);
          const received = given.startsWith('data:')
            ? Buffer.from(given.split(',')[1] ?? '', 'base64')
            : fake.uploads.get(given);
          assert.ok(received?.equals(bytes), `${given.slice(0, 60)}`);
        }
      });

      it('says without spending whether it works', async () => {
        const log = createLog('silent');
        const context = { signal: AbortSignal.timeout(5000), onProgress: () => {} };
        const good = await open(log, fake.key).probe?.(context);
        assert.equal(good?.ok, true, String(good?.message));
        const wrong = await open(log, 'wrong-key-0815').probe?.(context);
        assert.equal(wrong?.ok, false);
        assert.doesNotMatch(String(wrong?.message), /0815/);
        assert.ok([...fake.jobs.values()].every((job) => Number.isInteger(Number(job.name))));
      });

      if (harness.blocking === true) return;

      it('waits with the upstream, and its progress never falls', async () => {
        const job = `${++orders}`;
        const prompt = `a fox [[job=${job} queue=3 run=6]]`;
        const { data } = await service.call(service.keys.live, 'POST', '/v1/images', {
          model_id: 'conformance',
          prompt,
        });
        let last = 0;
        for (let task = data; WORKING.includes(task.status); ) {
          ({ data: task } = await service.call(service.keys.live, 'GET', task.urls.self));
          assert.ok(task.progress >= last, `${task.progress} after ${last}`);
          assert.ok(task.progress < 100 || !WORKING.includes(task.status), 'an end before the end');
          last = task.progress;
        }
        assert.equal(last, 100);
        assert.ok(fake.counts(job).polls >= 10);
      });

      it('asks on when a check goes wrong', async () => {
        const words = ['reset', 'html500', 'html503', 'nojson', 'busy', 'busyfor', 'hang'];
        const made = await Promise.all(words.map(async (word) => ({ word, ...(await make(`check=${word} run=2`)) })));
        for (const { word, task, job } of made) {
          assertEnded(task, { status: 'succeeded' }, word);
          assert.equal(fake.counts(job).attempts, 1, word);
        }
      });

      it('waits on a status that it does not know, and says so once', async () => {
        const made = await Promise.all([make('run=3 odd=DREAMING'), make('run=3 odd=DREAMING')]);
        for (const { task } of made) assertEnded(task, { status: 'succeeded' }, 'an unknown status');
        assert.equal(logged.filter((line) => line.includes('DREAMING')).length, 1);
      });

      it('brings home one result for each of two orders that were given one id', async () => {
        const made = await Promise.all([make('id=twin run=2'), make('id=twin run=2')]);
        for (const { task, job } of made) {
          assertEnded(task, { status: 'succeeded' }, job);
          assert.equal(fake.counts(job).accepted, 1);
        }
      });

      it('cancels where it can, and says beforehand whether it can', async () => {
        const job = `${++orders}`;
        const body = { model_id: 'conformance', prompt: `a fox [[job=${job} run=100000]]` };
        const { data } = await service.call(service.keys.live, 'POST', '/v1/images', body);
        await until(
          () => fake.counts(job).polls,
          (polls) => polls > 0,
        );
        const { data: running } = await service.call(service.keys.live, 'GET', data.urls.self);
        const answer = await service.call(service.keys.live, 'POST', data.urls.cancel);
        assert.equal(answer.status, running.can_cancel ? 200 : 409);
        if (!running.can_cancel) return;
        const { data: task } = await service.call(service.keys.live, 'GET', data.urls.self, undefined, {
          prefer: 'wait=20',
        });
        assertEnded(task, { status: 'canceled' }, 'a canceled order');
        assert.ok(fake.counts(job).cancels >= 1);
      });
    });

    it('sends the key to the upstream alone', () => {
      assert.deepEqual(fake.misplacedKeys, []);
    });

    it('offers again when nobody was there to take it', async () => {
      await fake.stop();
      const before = logged.length;
      const made = make('');
      await until(() => logged.slice(before).some((line) => line.includes('cannot be reached')), Boolean);
      await fake.start();
      const { task, job } = await made;
      assertEnded(task, { status: 'succeeded' }, 'an order while the upstream was away');
      assert.equal(fake.counts(job).attempts, 1);
    });

    if (harness.blocking === true) return;

    it('goes on over a clock that is set, and an upstream that was away', async () => {
      const made = make('run=20');
      await until(
        () => fake.counts(String(orders)).polls,
        (polls) => polls > 2,
      );
      clock.aheadMs += 300_000;
      await until(
        () => fake.counts(String(orders)).polls,
        (polls) => polls > 4,
      );
      await fake.stop();
      await fake.start();
      assertEnded((await made).task, { status: 'succeeded' }, 'a clock that was set');
      assert.equal(fake.counts((await made).job).attempts, 1);
    });

    it('gives up an order that the upstream has forgotten', async () => {
      const made = make('run=100000');
      await until(
        () => fake.counts(String(orders)).polls,
        (polls) => polls > 0,
      );
      fake.forget();
      clock.aheadMs += 120_000;
      assertEnded(
        (await made).task,
        { status: 'failed', code: 'upstream_error', message: /no longer knows/ },
        'forgotten',
      );
    });
  });
}
