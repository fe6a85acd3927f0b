import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { conformanceEntry } from '../helpers/conformance-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const parameters = { prompt: 'prompt' };
const ROUTES = {
  'two-models': [
    { engine: 'alpha', model: 'not-deployed', parameters },
    { engine: 'beta', model: 'plain', parameters },
  ],
  'not-deployed': [{ engine: 'alpha', model: 'not-deployed', parameters }],
  'many-routes': [
    { engine: 'gamma', model: 'not-configured', parameters: { prompt: 'prompt' } },
    { engine: 'beta', model: 'without-a-map' },
    { engine: 'alpha', model: 'wide', when: { aspect_ratio: '16:9' }, parameters: { prompt: 'prompt' } },
    { engine: 'alpha', model: 'plain', parameters: { prompt: 'prompt', aspect_ratio: 'ratio' } },
    {
      engine: 'beta',
      model: 'seeded',
      without: ['image_urls'],
      parameters: { prompt: 'p', seed: 's', width: 'w', image_urls: 'i' },
    },
    {
      engine: 'alpha',
      model: 'one-picture',
      parameters: { prompt: 'p', image_urls: { to: 'i', take: 'first' } },
      covers: ['seed'],
    },
  ],
  square: [
    {
      engine: 'alpha',
      model: 'one',
      parameters: { prompt: 'p', aspect_ratio: { to: 'size', values: { '1:1': 'square' } } },
    },
  ],
  words: [
    {
      engine: 'alpha',
      model: 'words',
      when: { mode: 'text_to_image' },
      parameters: { prompt: 'p', aspect_ratio: 'a' },
    },
  ],
  'words-or-pictures': [
    { engine: 'alpha', model: 'words', when: { mode: 'text_to_image' }, parameters: { prompt: 'p' } },
    {
      engine: 'alpha',
      model: 'pictures',
      when: { image_urls: { present: true } },
      parameters: { prompt: 'p', image_urls: 'i', aspect_ratio: { to: 'a', values: { '1:1': 'square' } } },
    },
  ],
  fixed: [
    {
      engine: 'alpha',
      model: 'one',
      parameters: { prompt: { to: 'text', prefix: 'see: ' } },
      covers: ['aspect_ratio'],
      fixed: { safe: true },
    },
  ],
};
const engines = [
  Object.assign(createScriptedEngine({ name: 'alpha' }), { serves: (model: string) => model !== 'not-deployed' }),
  Object.assign(createScriptedEngine({ name: 'beta' }), { needsParameters: true }),
];
const { directory } = await openCatalogOverlay(
  wholeFile,
  Object.entries(ROUTES).map(([id, routes]) => conformanceEntry(id, routes)),
);
const { keys, call } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: directory },
  service: { engines },
});

/** Orders one of these models. */
function open(model_id: keyof typeof ROUTES) {
  const order = (fields: object) => call(keys.live, 'POST', '/v1/images', { model_id, prompt: 'a fox', ...fields });
  const price = (fields: object) => call(keys.live, 'POST', '/v1/prices', { model_id, prompt: 'a fox', ...fields });
  /** The route by which an engine got the order. */
  const routeOf = async (fields: object) => {
    const { status, data, body } = await order(fields);
    assert.equal(status, 201, JSON.stringify(body));
    const started = () => engines.flatMap((engine) => engine.started);
    const found = await until(
      () => started().find(({ taskId }) => taskId === data.task_id) ?? null,
      (one) => one !== null,
    );
    return found?.route;
  };
  const maker = async (fields: object) => {
    const route = await routeOf(fields);
    return `${route?.engine} ${route?.model}`;
  };
  return { order, price, routeOf, maker };
}

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

describe('the route of an order', () => {
  it("leads to no model that the operator's settings do not give the engine", async () => {
    const { maker } = open('two-models');
    assert.equal(await maker({}), 'beta plain');
    const alone = open('not-deployed');
    const refused = await alone.order({});
    assert.deepEqual([refused.status, refused.error.code], [422, 'model_not_offered']);
  });

  it('is the first that supports all fields', async () => {
    const { maker, order } = open('many-routes');
    assert.equal(await maker({}), 'alpha plain');
    assert.equal(await maker({ aspect_ratio: '16:9' }), 'alpha wide');
    assert.equal(await maker({ seed: 7 }), 'beta seeded');
    assert.equal(await maker({ seed: 7, aspect_ratio: '16:9' }), 'beta seeded');
    assert.equal(await maker({ seed: 7, image_urls: [PICTURE] }), 'alpha one-picture');
    const two = await order({ image_urls: [PICTURE, PICTURE] });
    assert.deepEqual([two.status, two.error.code, two.error.param], [400, 'unsupported_field', 'image_urls']);
  });

  it('refuses an order that no engine supports, and names the field or the value', async () => {
    const { order, price } = open('square');
    const style = await order({ style: 'ink', seed: 3 });
    const priced = await price({ style: 'ink', seed: 3 });
    assert.deepEqual([priced.status, priced.error.details], [style.status, style.error.details], 'a quote says so too');
    assert.equal((await price({ style: 'ink', prompt: undefined })).error.param, 'style');
    assert.deepEqual([style.status, style.error.code], [400, 'unsupported_field']);
    assert.deepEqual(
      style.error.details.map((fault: { param: string }) => fault.param),
      ['seed', 'style'],
    );
    const wide = await order({ aspect_ratio: '16:9' });
    assert.deepEqual([wide.status, wide.error.code, wide.error.param], [400, 'unsupported_value', 'aspect_ratio']);
    assert.match(wide.error.message, /16:9/);
  });

  it('names the medium where a route wants another mode', async () => {
    const { order, price } = open('words');
    const { status, error } = await order({ image_urls: [PICTURE] });
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_value', 'image_urls']);
    assert.equal((await price({ image_urls: [PICTURE] })).error.param, 'image_urls');
    assert.equal((await price({ prompt: undefined })).status, 200, 'what is missing is no fault of a quote');
  });

  it('reports what the route for such media lacks, not other routes', async () => {
    const { order } = open('words-or-pictures');
    const { status, error } = await order({ image_urls: [PICTURE], aspect_ratio: '16:9' });
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_value', 'aspect_ratio']);
  });

  it('is frozen with the order', async () => {
    assert.deepEqual(await open('fixed').routeOf({}), {
      engine: 'alpha',
      model: 'one',
      parameters: { prompt: { to: 'text', prefix: 'see: ' } },
      fixed: { safe: true },
    });
  });
});
