import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openFakeFal, openFakeKling } from '@darkroom-service/engines/fakes';
import type { FakeUpstream } from '@darkroom-service/engines/fakes/parts';
import { engineKills } from './engine-kills.ts';

/**
 * Two accounts at one upstream: a submission to the second one is not known to the first, so it would be a second
 * order.
 */

const parameters = { prompt: 'prompt' };
const covers = ['aspect_ratio'];
const directory = mkdtempSync(join(tmpdir(), 'darkroom-instances-'));
after(() => rmSync(directory, { recursive: true }));

/** Two upstreams that count together. */
async function openBoth(open: () => Promise<FakeUpstream>): Promise<FakeUpstream & { readonly two: FakeUpstream }> {
  const [one, two] = [await open(), await open()];
  return {
    ...one,
    two,
    counts(job) {
      const [first, second] = [one.counts(job), two.counts(job)];
      return { ...first, attempts: first.attempts + second.attempts, accepted: first.accepted + second.accepted };
    },
    async stop() {
      await one.stop();
      await two.stop();
    },
  };
}

/** The first account by its variables, the second one in a file; each order may go to either. */
function variablesOf(kind: string, key: string, url: string) {
  return (fake: FakeUpstream & { readonly two?: FakeUpstream }) => {
    const file = join(directory, `${kind}.json`);
    const entry = { name: `${kind}-two`, kind, key: fake.two?.key, url: fake.two?.url };
    writeFileSync(file, JSON.stringify({ engines: [entry] }));
    return {
      [key]: fake.key,
      [url]: fake.url,
      DARKROOM_ENGINES_FILE: file,
      DARKROOM_ROUTE_POLICY: 'weighted',
    };
  };
}

engineKills('two accounts at fal', {
  beginsAtOnce: true,
  openFake: () => openBoth(() => openFakeFal({ 'fal-ai/fox': { prompt: { type: 'string', required: true } } })),
  routes: [{ engine: 'fal', model: 'fal-ai/fox', parameters, covers }],
  variables: variablesOf('fal', 'FAL_KEY', 'DARKROOM_FAL_URL'),
});

engineKills('two accounts at Kling', {
  idempotency: 'refuses_duplicates',
  openFake: () => openBoth(openFakeKling),
  routes: [{ engine: 'kling', model: 'text-to-video/kling-3.0-turbo', parameters, covers }],
  variables: variablesOf('kling', 'KLING_API_KEY', 'DARKROOM_KLING_URL'),
});
