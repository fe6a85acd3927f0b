import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { createScriptedEngine } from '../../../test/helpers/scripted-engine.ts';
import { temporaryDirectory } from '../../../test/helpers/temporary-directory.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import { NO_TERMS } from '../../catalog/pricing/terms.ts';
import type { Check } from '../check.ts';
import { diagnosePrices } from './diagnose-prices.ts';

/** Nobody listens there, so that the checks of the upstreams fail at once. */
const NOWHERE = 'http://127.0.0.1:9';
const KEYS = {
  fal: { FAL_KEY: 'id:secret', DARKROOM_FAL_URL: NOWHERE },
  openai: { OPENAI_API_KEY: 'sk-none', DARKROOM_OPENAI_URL: NOWHERE },
  google: { GEMINI_API_KEY: 'none', DARKROOM_GOOGLE_URL: NOWHERE },
  runway: { RUNWAYML_API_SECRET: 'none', DARKROOM_RUNWAY_URL: NOWHERE },
  luma: { LUMA_AGENTS_API_KEY: 'none', DARKROOM_LUMA_URL: NOWHERE },
};

/** Returns what `doctor` says of prices. */
async function doctor(variables: Record<string, string>) {
  const { stdout } = await runDarkroom(['doctor', '--json'], variables, await temporaryDirectory('darkroom-doctor-'));
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  const { status, weight, found, details = [] } = checks.find(({ name }) => name === 'prices') ?? assert.fail(stdout);
  return { status, weight, found, details: details.join('\n') };
}

test('doctor with a fal key names no loss, since prices follow its costs, and which costs are unknown', async () => {
  const { status, weight, found, details } = await doctor(KEYS.fal);
  assert.deepEqual([status, weight, found.split('\n').length], ['warning', 'week', 1]);
  assert.doesNotMatch(details, / loses /);
  assert.match(details, /with your keys, the costs of \d+ routes at fal are unknown: /);
  const allowed = await doctor({ ...KEYS.fal, DARKROOM_BELOW_COST_MODELS: '*' });
  assert.equal(allowed.weight, undefined, 'it costs money now');
  for (const model of ['Seedance 2.0', 'Seedance 2.5', 'Luma Ray 3.2'])
    assert.match(
      allowed.found,
      new RegExp(`With your keys, ${model} loses (up to )?\\d+\\.\\d+ a second at fal`),
      model,
    );
});

test("doctor with an OpenAI key names no loss: the vendor's own prices are the catalog's", async () => {
  const { status, found } = await doctor(KEYS.openai);
  assert.deepEqual([status, / loses /.test(found)], ['ok', false], found);
});

test('doctor with five keys names losses by route, and a discount or a permission changes what it says', async () => {
  const all = Object.assign({}, ...Object.values(KEYS)) as Record<string, string>;
  const { status, details } = await doctor(all);
  assert.equal(status, 'warning');
  assert.match(details, /Seedance 2\.5 loses .* at fal/);
  assert.match(details, /Seedance 2\.0 loses .* at runway/);
  assert.doesNotMatch(details, /at (luma|google|openai)\b/);
  const paid = await doctor({ ...all, DARKROOM_COST_MULTIPLIERS: 'fal=0.05,runway=0.1' });
  assert.doesNotMatch(paid.details, / loses /);
  const allowed = await doctor({ ...all, DARKROOM_BELOW_COST_MODELS: 'seedance-2.5' });
  assert.match(allowed.found, /Seedance 2\.5 loses .* at fal .*DARKROOM_BELOW_COST_MODELS allows it/);
});

test('prices and costs that were read more than 90 days ago are one finding, by vendor, with the oldest named', async (t) => {
  const overlay = await openCatalogOverlay(t);
  const of = (model_id: string, as_of: string) => {
    const cost = { as_of, source: 'a price list', components: [{ per: 'image', amount: '0.01' }] };
    return plainEntry({ model_id, routes: [{ engine: 'scripted', cost }] });
  };
  await overlay.writeText(
    JSON.stringify({ vendor: 'Own', prices_as_of: '2026-08-27', models: [of('old', '2026-07'), of('new', '2026-11')] }),
  );
  const { models } = await loadCatalog({ directories: [overlay.directory] });
  const at = async (now: string) =>
    (await diagnosePrices({ models, engines: [createScriptedEngine()], terms: NO_TERMS, now: Date.parse(now) }))[1];
  const { status, found } = (await at('2026-11-25T00:00:00Z')) ?? assert.fail();
  assert.deepEqual(
    [status, found],
    [
      'warning',
      'one price or cost was read more than 90 days ago: Own 1. The oldest is the cost of old at scripted, of 2026-07',
    ],
  );
  assert.match(String((await at('2026-11-26T00:00:00Z'))?.found), /^3 prices and costs .*: Own 3\./);
  assert.equal((await at('2026-09-01T00:00:00Z'))?.status, 'ok');
});
