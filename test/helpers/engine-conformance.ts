import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { engineContract } from '@darkroom-service/engines/conformance';
import { pictureBeyond, smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../src/base/log.ts';
import { assertListsModels } from './assert-lists-models.ts';
import {
  assertEnded,
  type ConformanceBench,
  type Ending,
  type EngineHarness,
  openConformanceBench,
} from './conformance-bench.ts';
import { forgottenOrders } from './forgotten-orders.ts';
import type { FileAnswer, TaskAnswer } from './service.ts';

const WORKING = ['queued', 'processing'];
const LISTED = '/admin/v1/reconciliation?limit=100';

/** Tests every engine's duties, also through the service's workers. Kills of the process: `crash/engine-kills.ts`. */
export function engineConformance(name: string, harness: EngineHarness): void {
  // Both wait more than they compute, and share nothing.
  describe(name, { concurrency: true }, () => {
    engineContract(name, harness);
    throughTheService(name, harness);
  });
}

function throughTheService(name: string, harness: EngineHarness): void {
  describe(`${name} as an engine`, { concurrency: 1 }, () => {
    let bench: ConformanceBench;
    before(async () => {
      bench = await openConformanceBench(harness);
    });
    after(() => bench.close());

    describe('whatever else goes on', { concurrency: true }, () => {
      it('delivers what was ordered, once, and measures it', async () => {
        const { task, job } = await bench.make('file=png');
        assertEnded(task, { status: 'succeeded' }, 'a plain order');
        const [output] = task.outputs;
        assert.deepEqual([output.content_type, output.width, output.height], ['image/png', 48, 32]);
        const { attempts, accepted } = bench.fake.counts(job);
        assert.deepEqual({ attempts, accepted }, { attempts: 1, accepted: 1 });
      });

      it("sends orders in the upstream's format, and nothing else", async () => {
        for (const { fields, input } of harness.inputs) {
          const { task, job } = await bench.make('', fields);
          assertEnded(task, { status: 'succeeded' }, JSON.stringify(fields));
          const received = [...bench.fake.jobs.values()].find((one) => one.name === job)?.input ?? {};
          const { prompt, ...rest } = received;
          assert.equal(prompt, `a fox [[job=${job} ]]`);
          assert.deepEqual(rest, input);
        }
        const refused = await bench.service.call(bench.service.keys.live, 'POST', '/v1/images', {
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
          ...(await bench.make(words)),
        }));
        for (const { words, ending, task, job } of await Promise.all(made)) {
          assertEnded(task, ending, words);
          assert.ok(bench.fake.counts(job).accepted <= 1, words);
        }
      });

      it('tells a refused order from authentication and billing errors', async () => {
        const [billing, invalid] = await Promise.all([
          bench.make('submit=billing times=9'),
          bench.make('submit=invalid times=9'),
        ]);
        assertEnded(billing.task, { status: 'failed', code: 'upstream_billing' }, 'out of credit');
        assertEnded(invalid.task, { status: 'failed', code: 'invalid_input', message: /short/ }, 'an invalid order');
        for (const { job } of [billing, invalid]) {
          assert.deepEqual([bench.fake.counts(job).attempts, bench.fake.counts(job).accepted], [1, 0]);
        }
        const wrong = await bench.service.make(bench.service.keys.live, '/v1/images', {
          model_id: 'conformance-wrong-key',
          prompt: 'a fox',
        });
        assertEnded(wrong, { status: 'failed', code: 'upstream_auth' }, 'a wrong key');
        assert.doesNotMatch(wrong.error.message, /WRONG-KEY/);
      });

      it('submits again an order that was certainly not accepted', async () => {
        const words = ['busy', 'busyfor', 'busyuntil'];
        const made = await Promise.all(words.map((word) => bench.make(`submit=${word}`)));
        for (const { task, job } of made) {
          assertEnded(task, { status: 'succeeded' }, job);
          assert.deepEqual([bench.fake.counts(job).attempts, bench.fake.counts(job).accepted], [2, 1]);
        }
      });

      it('never submits again an order that may have been accepted, unless it costs nothing', async () => {
        const words = ['reset', 'hang', 'html500', 'html503', 'nojson', 'nohandle', 'empty'];
        const made = await Promise.all(words.map(async (word) => ({ word, ...(await bench.make(`submit=${word}`)) })));
        const unknown: Ending = { status: 'failed', code: 'outcome_unknown' };
        const isKnown = harness.looksUp === true || harness.isFree === true;
        const times = harness.isFree === true && harness.looksUp !== true ? 2 : 1;
        for (const { word, task, job } of made) {
          assertEnded(task, isKnown ? { status: 'succeeded' } : unknown, word);
          assert.deepEqual([bench.fake.counts(job).attempts, bench.fake.counts(job).accepted], [times, times], word);
        }
        if (isKnown) return;
        const { data } = await bench.service.call(bench.service.keys.admin, 'GET', LISTED);
        for (const { task, word } of made) {
          const { detail } = data.items.find((item) => item.task_id === task.task_id) ?? assert.fail(word);
          if (word === 'nojson') assert.match(String(detail.answered), /Something went wrong/);
        }
      });

      it('accepts files by their content, and refuses other types', async () => {
        const isFetched = harness.insideAnswer !== true;
        const good = { png: 'png', jpeg: 'jpeg', webp: 'webp', wrongtype: 'webp' };
        const moved = isFetched ? { nolength: 'png', redirect: 'png' } : {};
        const far = isFetched ? { oversize: /larger than/, private: /address is not allowed/ } : {};
        const bad = { ...far, garbage: /cannot be used/ };
        // Gone or broken at first: the upstream is asked again where the result lies.
        const second = isFetched && harness.blocking !== true ? { late: 'png', broken: 'png' } : {};
        const fetched = await Promise.all(
          Object.entries({ ...good, ...moved, ...second }).map(async ([file, type]) => ({
            file,
            type,
            ...(await bench.make(`file=${file}`)),
          })),
        );
        for (const { file, type, task, job } of fetched) {
          assertEnded(task, { status: 'succeeded' }, file);
          assert.equal(task.outputs[0].content_type, `image/${type}`);
          assert.equal(bench.fake.counts(job).accepted, 1);
        }
        for (const [file, message] of Object.entries(bad)) {
          const { task } = await bench.make(`file=${file}`);
          assertEnded(task, { status: 'failed', code: 'upstream_error', message }, file);
        }
      });

      it('hands over pictures that only we can see', async () => {
        if (harness.references === undefined) return;
        const { inline, uploads, field } = harness.references;
        const small = await smallPicture;
        for (const bytes of uploads ? [small, await pictureBeyond(inline)] : [small]) {
          const file = await fetch(`${bench.service.url}/v1/files`, {
            method: 'POST',
            headers: { authorization: `Bearer ${bench.service.keys.live}`, 'content-type': 'image/png' },
            body: new Uint8Array(bytes),
          });
          const { data } = (await file.json()) as { readonly data: FileAnswer };
          const { task, job } = await bench.make('', { image_urls: [`upload:${data.file_id}`] });
          assertEnded(task, { status: 'succeeded' }, `a picture of ${bytes.length} bytes`);
          const input = [...bench.fake.jobs.values()].find((one) => one.name === job)?.input ?? {};
          const given = String([input[field]].flat()[0]);
          const received = given.startsWith('data:')
            ? Buffer.from(given.split(',')[1] ?? '', 'base64')
            : bench.fake.uploads.get(given);
          assert.ok(received?.equals(bytes), `${given.slice(0, 60)}`);
        }
      });

      it('says without spending whether it works', async () => {
        const log = createLog('silent');
        const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
        const good = await bench.open(log, bench.fake.key).probe?.(context);
        assert.equal(good?.ok, true, String(good?.message));
        assert.equal((await bench.open(log, bench.fake.key).balance?.(context))?.amount ?? '100', '100');
        await assertListsModels(bench.open(log, bench.fake.key), harness.routes, context);
        const wrong = await bench.open(log, 'WRONG-KEY-0815').probe?.(context);
        assert.equal(wrong?.ok, false);
        assert.doesNotMatch(String(wrong?.message), /WRONG-KEY/);
        assert.ok([...bench.fake.jobs.values()].every((job) => Number.isInteger(Number(job.name))));
      });

      if (harness.blocking === true) return;

      it('waits with the upstream, and its progress never falls', async () => {
        const job = bench.nextJob();
        const prompt = `a fox [[job=${job} queue=3 run=6]]`;
        const { data } = await bench.service.call(bench.service.keys.live, 'POST', '/v1/images', {
          model_id: 'conformance',
          prompt,
        });
        let last = 0;
        for (let task: TaskAnswer = data; WORKING.includes(task.status); ) {
          ({ data: task } = await bench.service.call(bench.service.keys.live, 'GET', task.urls.self));
          // A quick machine would be through with what the key may read in a minute.
          await pause(5);
          assert.ok(task.progress >= last, `${task.progress} after ${last}`);
          assert.ok(task.progress < 100 || !WORKING.includes(task.status), 'an end before the end');
          last = task.progress;
        }
        assert.equal(last, 100);
        assert.ok(bench.fake.counts(job).polls >= 10);
      });

      it('keeps checking after a failed check', async () => {
        const words = ['reset', 'html500', 'html503', 'nojson', 'busy', 'busyfor', 'hang'];
        const made = await Promise.all(
          words.map(async (word) => ({ word, ...(await bench.make(`check=${word} run=2`)) })),
        );
        for (const { word, task, job } of made) {
          assertEnded(task, { status: 'succeeded' }, word);
          assert.equal(bench.fake.counts(job).attempts, 1, word);
        }
      });

      it('waits on a status that it does not know, and says so once', async () => {
        const made = await Promise.all([bench.make('run=3 odd=DREAMING'), bench.make('run=3 odd=DREAMING')]);
        for (const { task } of made) assertEnded(task, { status: 'succeeded' }, 'an unknown status');
        assert.equal(bench.logged.filter((line) => line.includes('DREAMING')).length, 1);
      });

      it('delivers one result once if two orders got the same id, and reports the other order to the operator', async () => {
        const job = bench.nextJob();
        const body = { model_id: 'conformance', prompt: `a fox [[job=${job} id=twin run=100000]]` };
        const task = bench.service.make(bench.service.keys.live, '/v1/images', body);
        // The fake finds the first by its name until the second takes its place, as a busy machine may need it to.
        await until(
          () => bench.fake.counts(job).polls,
          (polls) => polls > 0,
        );
        const made = await Promise.all([task.then((first) => ({ task: first, job })), bench.make('id=twin run=2')]);
        made.sort((one, other) => other.task.status.localeCompare(one.task.status));
        for (const [place, { task, job }] of made.entries()) {
          assertEnded(task, place === 0 ? { status: 'succeeded' } : { status: 'failed', code: 'outcome_unknown' }, job);
          assert.equal(bench.fake.counts(job).accepted, 1);
        }
        const { data } = await bench.service.call(bench.service.keys.admin, 'GET', LISTED);
        const [first, second] = made.map(({ task }) => task.task_id);
        const entry = data.items.find((item) => item.task_id === second);
        assert.deepEqual(entry?.detail.same_job_as, first);
      });

      it('cancels where it can, and says beforehand whether it can', async () => {
        const job = bench.nextJob();
        const working = harness.cancelsOnlyWaiting === true ? 'queue' : 'run';
        const body = { model_id: 'conformance', prompt: `a fox [[job=${job} ${working}=100000]]` };
        const { data } = await bench.service.call(bench.service.keys.live, 'POST', '/v1/images', body);
        await until(
          () => bench.fake.counts(job).polls,
          (polls) => polls > 0,
        );
        const { data: running } = await bench.service.call(bench.service.keys.live, 'GET', data.urls.self);
        const answer = await bench.service.call(bench.service.keys.live, 'POST', data.urls.cancel);
        assert.equal(answer.status, running.can_cancel ? 200 : 409);
        if (!running.can_cancel) return;
        const { data: task } = await bench.service.call(bench.service.keys.live, 'GET', data.urls.self, undefined, {
          prefer: 'wait=60',
        });
        assertEnded(task, { status: 'canceled' }, 'a canceled order');
        assert.ok(bench.fake.counts(job).cancels >= 1);
      });
    });

    it('sends the key to the upstream alone', () => {
      assert.deepEqual(bench.fake.misplacedKeys, []);
    });

    it('submits again when the connection was refused', async () => {
      await bench.fake.stop();
      const before = bench.logged.length;
      const made = bench.make('');
      await until(() => bench.logged.slice(before).some((line) => line.includes('cannot be reached')), Boolean);
      await bench.fake.start();
      const { task, job } = await made;
      assertEnded(task, { status: 'succeeded' }, 'an order while the upstream was away');
      assert.equal(bench.fake.counts(job).attempts, 1);
    });

    if (harness.blocking === true) return;

    it('survives a changed clock and an upstream outage', async () => {
      const made = bench.make('run=20');
      await bench.untilPolls(2);
      bench.clock.aheadMs += 300_000;
      await bench.untilPolls(4);
      await bench.fake.stop();
      await bench.fake.start();
      assertEnded((await made).task, { status: 'succeeded' }, 'a clock that was set');
      assert.equal(bench.fake.counts((await made).job).attempts, 1);
    });

    describe('an order that its upstream has forgotten', () => forgottenOrders(harness, () => bench));
  });
}
