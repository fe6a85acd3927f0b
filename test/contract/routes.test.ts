import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { conformanceEntry } from '../conformance-entry.ts';
import { createScriptedEngine, type ScriptedEngine } from '../scripted-engine.ts';
import { type RouteAnswer, startTestService } from '../service.ts';

interface Stage {
  readonly engines: Readonly<Record<'alpha' | 'beta', ScriptedEngine>>;
  order(fields: object): Promise<RouteAnswer<'POST', '/v1/images'>>;
  price(fields: object): Promise<RouteAnswer<'POST', '/v1/prices'>>;
  /** Which engine got the order, and as what. */
  maker(fields: object): Promise<string>;
}

async function open(t: TestContext, routes: readonly object[], changes: object = {}): Promise<Stage> {
  const engines = {
    alpha: Object.assign(createScriptedEngine({ name: 'alpha' }), {
      serves: (model: string) => model !== 'not-deployed',
    }),
    beta: Object.assign(createScriptedEngine({ name: 'beta' }), { needsParameters: true }),
  };
  const entry = { ...conformanceEntry('routed', routes), ...changes };
  const { directory } = await openCatalogOverlay(t, [entry]);
  const { keys, call } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: directory },
    service: { engines: Object.values(engines) },
  });
  const order: Stage['order'] = (fields) =>
    call(keys.live, 'POST', '/v1/images', { model_id: 'routed', prompt: 'a fox', ...fields });
  return {
    engines,
    order,
    price: (fields) => call(keys.live, 'POST', '/v1/prices', { model_id: 'routed', prompt: 'a fox', ...fields }),
    async maker(fields) {
      const { status, data, body } = await order(fields);
      assert.equal(status, 201, JSON.stringify(body));
      const started = () => Object.values(engines).flatMap((engine) => engine.started);
      const found = await until(
        () => started().find(({ taskId }) => taskId === data.task_id) ?? null,
        (one) => one !== null,
      );
      return `${found?.route.engine} ${found?.route.model}`;
    },
  };
}

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

describe('the route of an order', () => {
  it("leads to no model that the operator's settings do not give the engine", async (t) => {
    const parameters = { prompt: 'prompt' };
    const { maker } = await open(t, [
      { engine: 'alpha', model: 'not-deployed', parameters },
      { engine: 'beta', model: 'plain', parameters },
    ]);
    assert.equal(await maker({}), 'beta plain');
    const alone = await open(t, [{ engine: 'alpha', model: 'not-deployed', parameters }]);
    const refused = await alone.order({});
    assert.deepEqual([refused.status, refused.error.code], [503, 'model_unavailable']);
  });

  it('is the first that supports all fields', async (t) => {
    const { maker, order } = await open(t, [
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
    ]);
    assert.equal(await maker({}), 'alpha plain');
    assert.equal(await maker({ aspect_ratio: '16:9' }), 'alpha wide');
    assert.equal(await maker({ seed: 7 }), 'beta seeded');
    assert.equal(await maker({ seed: 7, aspect_ratio: '16:9' }), 'beta seeded');
    assert.equal(await maker({ seed: 7, image_urls: [PICTURE] }), 'alpha one-picture');
    const two = await order({ image_urls: [PICTURE, PICTURE] });
    assert.deepEqual([two.status, two.error.code, two.error.param], [400, 'unsupported_field', 'image_urls']);
  });

  it('refuses an order that no engine supports, and names the field or the value', async (t) => {
    const { order, price } = await open(t, [
      {
        engine: 'alpha',
        model: 'one',
        parameters: { prompt: 'p', aspect_ratio: { to: 'size', values: { '1:1': 'square' } } },
      },
    ]);
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

  it('names the medium where a route wants another mode', async (t) => {
    const { order, price } = await open(t, [
      {
        engine: 'alpha',
        model: 'words',
        when: { mode: 'text_to_image' },
        parameters: { prompt: 'p', aspect_ratio: 'a' },
      },
    ]);
    const { status, error } = await order({ image_urls: [PICTURE] });
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_value', 'image_urls']);
    assert.equal((await price({ image_urls: [PICTURE] })).error.param, 'image_urls');
    assert.equal((await price({ prompt: undefined })).status, 200, 'what is missing is no fault of a quote');
  });

  it('reports what the route for such media lacks, not other routes', async (t) => {
    const { order } = await open(t, [
      { engine: 'alpha', model: 'words', when: { mode: 'text_to_image' }, parameters: { prompt: 'p' } },
      {
        engine: 'alpha',
        model: 'pictures',
        when: { image_urls: { present: true } },
        parameters: { prompt: 'p', image_urls: 'i', aspect_ratio: { to: 'a', values: { '1:1': 'square' } } },
      },
    ]);
    const { status, error } = await order({ image_urls: [PICTURE], aspect_ratio: '16:9' });
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_value', 'aspect_ratio']);
  });

  it('is frozen with the order', async (t) => {
    const parameters = { prompt: { to: 'text', prefix: 'see: ' } };
    const { engines, maker } = await open(t, [
      { engine: 'alpha', model: 'one', parameters, covers: ['aspect_ratio'], fixed: { safe: true } },
    ]);
    await maker({});
    assert.deepEqual(engines.alpha.started[0]?.route, {
      engine: 'alpha',
      model: 'one',
      parameters,
      fixed: { safe: true },
    });
  });
});
