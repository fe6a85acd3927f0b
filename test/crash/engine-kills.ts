import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { conformanceEntry } from '../conformance-entry.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import { until } from '../until.ts';
import { type ChildService, openPremises } from './child-service.ts';
import type { KillPoint } from './service-process.ts';

export interface KillHarness {
  openFake(): Promise<FakeUpstream>;
  readonly routes: readonly object[];
  /** What switches the engine on in a process of its own. */
  readonly variables: (fake: FakeUpstream) => Readonly<Record<string, string>>;
  readonly blocking?: boolean;
  /** It knows orders by an id of ours, so one whose handle got lost runs on. */
  readonly looksUp?: boolean;
  /** What its model makes; default `image`. */
  readonly type?: 'image' | 'video';
}

/**
 * Where a crash hurts most: around the call that is paid, around its handle, and on the way home. What the kill before left undone is ended
 * first, and by then may have passed the same point once.
 */
const KILLS: readonly KillPoint[] = [
  { name: 'submitting', moment: 'after' },
  { name: 'running', moment: 'before' },
  { name: 'running', moment: 'after' },
  { name: 'collecting', moment: 'after', occurrence: 2 },
  { name: 'settle_succeeded', moment: 'before', occurrence: 2 },
];
/** Without a handle nothing is running, and whatever a kill left undone ends as unknown before the next order. */
const BLOCKING_KILLS: readonly KillPoint[] = [
  { name: 'submitting', moment: 'after' },
  { name: 'collecting', moment: 'after' },
  { name: 'settle_succeeded', moment: 'before' },
];
/** What is taken up again passes the same point once more. */
const LOOK_UP_KILLS = KILLS.map((kill) =>
  kill.name === 'running' && kill.moment === 'after' ? { ...kill, occurrence: 2 } : kill,
);
const LEASES_END_MS = 61_000;
/** What is different about a model of films. */
const FILM = {
  type: 'video',
  supported_features: ['text_to_video'],
  sizing: { tier: '720p' },
  pricing: { components: [{ per: 'clip', amount: '0.01' }] },
};

/** Kills the service around the submission, starts it again, and counts at the upstream: at most one submission per order, ever. */
export function engineKills(name: string, harness: KillHarness): void {
  test(`killed around a submission to ${name}, an order is submitted once at most, and is charged only when it was delivered`, async (t) => {
    const fake = await harness.openFake();
    t.after(() => fake.stop());
    const premises = await openPremises(t);
    const { type = 'image' } = harness;
    const models = [{ ...conformanceEntry('conformance', harness.routes), ...(type === 'video' ? FILM : {}) }];
    await writeFile(join(premises.directory, 'catalog', 'conformance.json'), JSON.stringify({ vendor: 'Own', models }));
    const variables = harness.variables(fake);
    const orders: { readonly job: string; readonly path: string }[] = [];
    const ends: string[] = [];
    async function endLast(child: ChildService): Promise<void> {
      const order = orders.at(-1);
      if (order === undefined) return;
      const read = async () => (await child.call(premises.keys.live, 'GET', order.path)).body.data;
      const task = await until(read, ({ status }) => !['queued', 'processing'].includes(status));
      const { attempts } = fake.counts(order.job);
      assert.ok(attempts <= 1, `${attempts} submissions of ${order.job}`);
      if (task.status === 'succeeded') assert.deepEqual([attempts, task.cost.amount], [1, '0.01']);
      else assert.deepEqual([task.error.code, task.cost.amount], ['outcome_unknown', '0.00']);
      ends.push(task.status);
    }

    for (const [index, kill] of killsOf(harness).entries()) {
      const child = await premises.start({ kill, variables });
      await endLast(child);
      const job = String(index);
      const body = { model_id: 'conformance', prompt: `a fox [[job=${job}]]` };
      const { status, body: answer } = await child.call(premises.keys.live, 'POST', `/v1/${type}s`, body);
      assert.equal(status, 201, JSON.stringify(answer));
      orders.push({ job, path: new URL(answer.data.urls.self).pathname });
      await until(child.hasEnded, Boolean);
      premises.aheadMs += LEASES_END_MS;
    }
    await endLast(await premises.start({ variables }));
    // With the order's handle on disk, a crash costs nothing.
    if (harness.blocking !== true) assert.deepEqual(ends.slice(2), ['succeeded', 'succeeded', 'succeeded']);
  });
}

function killsOf({ blocking, looksUp }: KillHarness): readonly KillPoint[] {
  if (blocking === true) return BLOCKING_KILLS;
  return looksUp === true ? LOOK_UP_KILLS : KILLS;
}
