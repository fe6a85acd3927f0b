import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Idempotency } from '@darkroom-service/engines';
import type { FakeUpstream } from '@darkroom-service/engines/fakes/parts';
import { conformanceEntry } from '../helpers/conformance-entry.ts';
import { assertBooks, assertReconciliation } from './books.ts';
import { openPremises } from './child-service.ts';
import { createPatientClient } from './patient-client.ts';

export interface KillHarness {
  openFake(): Promise<FakeUpstream>;
  readonly routes: readonly object[];
  /** What switches the engine on in a process of its own. */
  readonly variables: (fake: FakeUpstream) => Readonly<Record<string, string>>;
  readonly blocking?: boolean;
  /** Its engine can cancel: the commit that creates an order also says that it is being submitted. */
  readonly beginsAtOnce?: boolean;
  /**
   * The kind of its engine; default `none`. What a findable one does not have is submitted again if it is free; else
   * it stays unknown until the order's deadline.
   */
  readonly idempotency?: Idempotency;
  /** A server of one's own, where an order that may have been lost is made again. */
  readonly isFree?: boolean;
  /** What its model makes; default `image`. */
  readonly type?: 'image' | 'video';
}

/** Every commit on the way of an order, and the moment in which its file becomes visible. */
const POINTS = [
  'create_task',
  'claim_tasks',
  'submitting',
  'deferred',
  'running',
  'let_go',
  'file_rename',
  'settle_succeeded',
];
/** Without a handle nothing runs, and nothing is asked for. */
const BLOCKING_POINTS = POINTS.filter((name) => name !== 'running' && name !== 'let_go');
const AT_ONCE_POINTS = POINTS.filter((name) => name !== 'claim_tasks' && name !== 'submitting');
/** Kills before anything was sent, of which the disk says that it may have been. */
const NOT_SENT = ['after submitting', 'before deferred'];
/** What leads to a commit that an undisturbed order has no need of. */
const CAUSES: Readonly<Record<string, string>> = { deferred: 'submit=busy', let_go: 'check=html503' };
const LEASES_END_MS = 61_000;
/** Past every deadline, also of orders that are made within a day. */
const DEADLINES_END_MS = 26 * 3_600_000;
/** What is different about a model of films. */
const FILM = {
  type: 'video',
  supported_features: ['text_to_video'],
  sizing: { tier: '720p' },
  pricing: { components: [{ per: 'clip', amount: '0.01' }] },
};

/**
 * Kills the service at every commit of an order, starts it again, and counts at the upstream: at most one submission
 * per order, ever.
 */
export function engineKills(name: string, harness: KillHarness): void {
  test(`killed at every commit of an order of ${name}, the service submits it once at most, and charges only what was delivered`, async (t) => {
    await killAtEveryCommit(t, harness);
  });
}

async function killAtEveryCommit(t: TestContext, harness: KillHarness): Promise<void> {
  const {
    type = 'image',
    blocking = false,
    beginsAtOnce: mayBegin = false,
    idempotency = 'none',
    isFree = false,
  } = harness;
  const holdsPermits = mayBegin && process.env.DARKROOM_TEST_DATABASE === 'postgres';
  const beginsAtOnce = mayBegin && !holdsPermits;
  const notSent = beginsAtOnce ? ['after create_task', ...NOT_SENT] : NOT_SENT;
  const points = beginsAtOnce ? AT_ONCE_POINTS : POINTS;
  const isNeverRepeated = idempotency === 'none' || idempotency === 'findable';
  const fake = await harness.openFake();
  t.after(() => fake.stop());
  const premises = await openPremises(t);
  const models = [{ ...conformanceEntry('conformance', harness.routes), ...(type === 'video' ? FILM : {}) }];
  await writeFile(join(premises.directory, 'catalog', 'conformance.json'), JSON.stringify({ vendor: 'Own', models }));
  const variables = harness.variables(fake);
  const { live } = premises.keys;
  const path = `/v1/${type}s`;
  const client = createPatientClient();
  let ordered: Promise<string> | null = null;
  /**
   * On a slow machine a write can take so long that the answer is in the spool before the kill. Then it is not lost.
   */
  let spooled: readonly string[] = [];
  /**
   * What was ordered before the kill comes to its end; by then its client has asked again for what it was not answered.
   */
  async function endLast(job: string, point: string, moment: string): Promise<void> {
    if (ordered === null) return;
    const task = await client.final(live, path, await ordered);
    const where = `${job}: ${JSON.stringify(task.error)}`;
    const { attempts, accepted } = fake.counts(job);
    assert.ok(accepted <= (isFree ? 2 : 1), `accepted ${accepted} times, ${where}`);
    // What was refused, or may have been lost under a key of ours, is submitted a second time.
    const mayRepeat =
      isFree || point === 'deferred' || idempotency === 'replays' || idempotency === 'refuses_duplicates';
    assert.ok(attempts <= (mayRepeat ? 2 : 1), `${attempts} submissions, ${where}`);
    if (task.status === 'succeeded') assert.deepEqual([accepted > 0, task.cost.amount], [true, '0.01'], where);
    else assert.deepEqual([task.error.code, task.cost.amount], ['outcome_unknown', '0.00'], where);
    // Nothing on disk says whether the upstream has the order, or under which name, and nobody can know.
    const isLost =
      !isFree &&
      ((idempotency === 'none' && `${moment} ${point}` === 'before running') ||
        (isNeverRepeated && notSent.includes(`${moment} ${point}`)) ||
        (blocking && (point === 'file_rename' || `${moment} ${point}` === 'before settle_succeeded')));
    const isSpooled = spooled.some((folder) => folder.includes(task.task_id));
    assert.equal(task.status, isLost && !isSpooled ? 'failed' : 'succeeded', where);
  }

  let last: readonly [job: string, point: string, moment: string] = ['', '', ''];
  for (const point of blocking ? BLOCKING_POINTS : points) {
    for (const moment of ['before', 'after'] as const) {
      let child = await premises.start({ variables });
      client.use(child);
      await endLast(...last);
      if (holdsPermits && ordered !== null) {
        // A process that has placed an order on PostgreSQL may hold permits, by which the next one begins at once, and
        // only for seconds. A new process has none: it claims its first order.
        child.process.kill('SIGTERM');
        await child.ended;
        child = await premises.start({ variables });
        client.use(child);
      }
      await child.killAt({ name: point, moment });
      last = [`${moment}-${point}`, point, moment];
      const made = type === 'video' ? 'file=film' : '';
      const words = `job=${last[0]} run=1 ${CAUSES[point] ?? ''} ${made}`;
      ordered = client.order(live, path, { model_id: 'conformance', prompt: `a fox [[${words}]]` });
      ordered.catch(() => {});
      assert.equal((await child.ended).signal, 'SIGKILL');
      spooled = await spooledAnswers(join(premises.directory, 'data', 'spool'));
      // An engine that is only asked is asked until the deadline for what it was not sent.
      const isAsked = idempotency === 'findable' && !isFree && notSent.includes(`${moment} ${point}`);
      premises.aheadMs += isAsked ? DEADLINES_END_MS : LEASES_END_MS;
    }
  }
  client.use(await premises.start({ variables }));
  await endLast(...last);
  await assertBooks(premises);
  await assertReconciliation(premises);
}

/** The folders of whole answers; each is named after its task. */
async function spooledAnswers(spool: string): Promise<string[]> {
  const entries = await readdir(spool, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name, parentPath }) => name === 'answer.json' && !/\.tmp-|late-results|damaged/.test(parentPath))
    .map(({ parentPath }) => parentPath);
}
