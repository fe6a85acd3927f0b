import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useWorld, world } from '@darkroom-service/contract';
import { type MediaCall, MediaFault, type MediaTools, MediaUnavailable, type Probe } from '@darkroom-service/media';
import { BUDGETS, type BudgetLimits, Budgets } from '../accounts/budgets.ts';
import { budgetMedia } from './budgeted-media.ts';
import { rememberProbes } from './remembered-probes.ts';

const picture = { kind: 'image', width: 1000, height: 1000, durationSeconds: null } as Probe;
const film = { kind: 'video', width: 64, height: 64, durationSeconds: 60 } as Probe;
const refused = { code: 'rate_limited' };

/**
 * Tools over answers that are given in turn; a key may have 2 megapixels and 100 seconds a minute examined, one at a
 * time.
 */
function open(...answers: (Probe | MediaFault | Promise<Probe>)[]) {
  let time = 0;
  const all = Object.fromEntries(Object.keys(BUDGETS).map((name) => [name, 1])) as BudgetLimits;
  const limits = { ...all, examined_pixels: 2_000_000, examined_film_seconds: 100 };
  const budgets = new Budgets({ limits, endUserPercent: 50, now: () => time });
  let started = 0;
  const media = {
    async probe(_path: string, { signal }: MediaCall) {
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
      const answer = await Promise.race([answers[started++], aborted]);
      if (answer instanceof MediaFault) throw answer;
      return answer!;
    },
  } as unknown as MediaTools;
  const { probe } = rememberProbes(budgetMedia(media, budgets));
  return {
    probe: (owner = 'key_1', patient = false) => probe('/file', { owner, patient }),
    probeBy: (examinedBy: number) => probe('/file', { owner: 'key_1', examinedBy }),
    probeOf: (endUser: string) => probe('/file', { owner: 'key_1', endUser }),
    probeSame: (owner: string, digest: string, endUser?: string) =>
      probe('/file', { owner, digest: () => digest, ...(endUser && { endUser }) }),
    started: () => started,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('media of a key', () => {
  it('are refused while the pixels of a minute are used up, and accepted again after enough time', async () => {
    const { probe, pass, started } = open(picture, picture, picture, picture);
    await probe();
    await probe();
    await assert.rejects(probe(), refused);
    assert.equal(started(), 2);
    assert.equal((await probe('key_2')).width, 1000);
    pass(1000);
    await probe();
  });

  it('are counted by seconds where they are films', async () => {
    const { probe } = open(film, film);
    await probe();
    await probe();
    await assert.rejects(probe(), { ...refused, message: /examined seconds of video and sound/ });
  });

  it('count as the largest picture when they exceed what a file may cost', async () => {
    const { probe } = open(new MediaFault('too_costly', 'too much'), picture);
    await assert.rejects(probe(), { kind: 'too_costly' });
    await assert.rejects(probe(), { ...refused, message: /examined pixels/ });
  });

  it('are refused when they came with client tokens of an end user that has used up its share, and only those', async () => {
    const { probe, probeOf } = open(picture, picture, picture);
    await probeOf('ada');
    await assert.rejects(probeOf('ada'), { ...refused, message: /^This end user has reached its share/ });
    await probeOf('bob');
    await assert.rejects(probe(), { ...refused, message: /^This API key has reached the limit/ });
  });

  it('are never refused for an accepted order, but count', async () => {
    const { probe } = open(picture, picture, picture, picture);
    for (let count = 0; count < 4; count++) await probe('key_1', true);
    await assert.rejects(probe(), refused);
  });

  it('are examined in time for a request, or refused for now, also while they wait; an accepted order waits on', async (t) => {
    // The limit of a request keeps no process alive.
    const alive = setInterval(() => {}, 60_000);
    t.after(() => clearInterval(alive));
    const never = new Promise<Probe>(() => {});
    const later = Promise.withResolvers<Probe>();
    const { probe, probeBy, started } = open(never, later.promise);
    const soon = world.monotonic() + 20;
    const [first, accepted, last] = [probeBy(soon), probe('key_1', true), probeBy(soon)];
    await assert.rejects(first, MediaUnavailable);
    await assert.rejects(last, MediaUnavailable);
    later.resolve(picture);
    assert.equal(await accepted, picture);
    assert.equal(started(), 2);
  });

  it('are examined and counted once if the same owner sends equal bytes again within ten minutes', async (t) => {
    t.after(() => useWorld(own));
    let passed = 0;
    const own = useWorld({ ...world, monotonic: () => own.monotonic() + passed });
    const { probeSame, started, pass } = open(
      picture,
      new MediaFault('corrupt', 'no picture'),
      film,
      picture,
      picture,
      film,
    );
    assert.equal(await probeSame('key_1', 'fox'), picture);
    assert.equal(await probeSame('key_1', 'fox'), picture);
    assert.equal(started(), 1);
    await assert.rejects(probeSame('key_1', 'broken'), MediaFault);
    assert.equal(await probeSame('key_1', 'broken'), film);
    pass(60_000);
    assert.equal(await probeSame('key_2', 'fox'), picture);
    assert.equal(await probeSame('key_1', 'fox', 'ada'), picture);
    assert.equal(started(), 5);
    passed = 10 * 60_000;
    pass(60_000);
    assert.equal(await probeSame('key_1', 'fox'), film);
  });

  it('are examined concurrently up to the limit of the key', async () => {
    const first = Promise.withResolvers<Probe>();
    const { probe, started } = open(first.promise, picture);
    const both = [probe(), probe()];
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(started(), 1);
    first.resolve(picture);
    await Promise.all(both);
    assert.equal(started(), 2);
  });
});
