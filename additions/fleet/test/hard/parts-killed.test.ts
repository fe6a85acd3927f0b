import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openFakeFal } from '@darkroom-service/engines/fakes';
import { until } from '@darkroom-service/testing';
import { openPremises } from '../../../../test/crash/child-service.ts';
import { openCatalogOverlay } from '../../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../../test/helpers/plain-entry.ts';
import { createPostgresDatabase } from '../../../../test/helpers/postgres-server.ts';

/** Two cells with one account at an upstream, which counts what it has at the same time. */

const WHOLE = 8;
const ORDER_MS = 700;
const ORDERS = 500;
const PARTS = { trustMs: 5_000, settleMs: 8_000, goneMs: 16_000 };

async function openUpstream(t: TestContext) {
  const fal = await openFakeFal({ 'fal-ai/fox': { prompt: { type: 'string', required: true } } });
  t.after(() => fal.stop());
  const route = { engine: 'fal', model: 'fal-ai/fox', parameters: { prompt: 'prompt' }, covers: ['aspect_ratio'] };
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'fox', routes: [route] })]);
  const jobsOf = (cell: string) => [...fal.jobs.values()].filter(({ name }) => name.startsWith(cell));
  return {
    fal,
    overlay,
    taken: (cell: string) => jobsOf(cell).length,
    /** How many orders of a cell it makes now. */
    inFlight: (cell: string) => jobsOf(cell).filter(({ takenAt }) => performance.now() - takenAt < ORDER_MS).length,
    /** How many orders a cell has submitted since then and not collected. On a slow machine most of them are made. */
    inHand: (cell: string, since: number) =>
      jobsOf(cell).filter(({ name, takenAt }) => takenAt >= since && fal.counts(name).downloads === 0).length,
    /** How many it ever had at the same time. */
    most() {
      const taken = jobsOf('').map(({ takenAt }) => takenAt);
      return Math.max(...taken.map((at) => taken.filter((one) => one <= at && at - one < ORDER_MS).length));
    },
  };
}

test('two cells share an upstream account: an idle part goes to the busy cell, that of a killed one comes back, and together they never use more', async (t) => {
  const { fal, overlay, taken, inFlight, inHand, most } = await openUpstream(t);
  const partsUrl = await createPostgresDatabase(t);
  const cells = await Promise.all(
    ['eu1', 'us1'].map(async (name) => {
      const premises = await openPremises(t, [], true);
      const variables = {
        DARKROOM_CELL: name,
        DARKROOM_PARTS_URL: partsUrl,
        DARKROOM_CATALOG_DIR: overlay.directory,
        FAL_KEY: fal.key,
        DARKROOM_FAL_URL: fal.url,
        DARKROOM_FAL_CONCURRENCY: String(WHOLE),
        DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
      };
      const start = () => premises.start({ variables, tempo: { parts: PARTS } });
      const child = await start();
      return { name, premises, start, child };
    }),
  );
  const [eu, us] = cells as [(typeof cells)[0], (typeof cells)[0]];
  const ordered: Record<string, number> = { eu1: 0, us1: 0 };
  const load = async ({ name, premises, child }: typeof eu) => {
    const orders = Array.from({ length: ORDERS }, () => {
      const prompt = `${name}-${ordered[name]!++} [[after=${ORDER_MS}]]`;
      return { operation: 'images', body: { model_id: 'fox', prompt } };
    });
    const { status, body } = await child.call(premises.keys.live, 'POST', '/v1/batches', { orders });
    assert.equal(status, 201, JSON.stringify(body));
  };
  const untilItHas = async (cell: typeof eu, count: number) => {
    const started = performance.now();
    await until(
      () => inHand(cell.name, started),
      (now) => now >= count,
    );
    t.diagnostic(`${cell.name} had ${count} after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };

  await load(eu);
  await untilItHas(eu, WHOLE - 1);
  await load(us);
  await untilItHas(us, WHOLE / 2);
  assert.ok(inFlight(eu.name) <= WHOLE / 2);

  eu.child.process.kill('SIGKILL');
  await eu.child.ended;
  await untilItHas(us, WHOLE);
  eu.child = await eu.start();
  await load(us);
  await untilItHas(eu, WHOLE / 2);
  assert.ok(taken(us.name) < ordered[us.name]!, 'the other cell is busy all the time');
  assert.ok(most() <= WHOLE, `${most()} at the same time`);
});
