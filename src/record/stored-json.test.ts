import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import type { ResolvedRequest } from '@darkroom-service/contract/catalog';
import { anyCharacter } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import { loadCatalog } from '../catalog/catalog.ts';
import { resolveAction } from '../catalog/resolve-action.ts';
import { resolveRequest } from '../catalog/resolve-request.ts';
import { wireInput } from '../catalog/wire-input.ts';
import { packRequest } from './packed-request.ts';
import { storedKeep, storedOutputs, storedRequest } from './stored-json.ts';
import type { StoredOutput } from './task.ts';
import { keepOf, outputsOf, requestOf } from './task-json.ts';

const { models } = await loadCatalog({ directories: [join(import.meta.dirname, '..', '..', 'catalog')] });
const PICTURES = ['https://example.com/1.png', 'https://example.com/2.png'];

function readAgain(request: ResolvedRequest, input: JsonObject): ResolvedRequest {
  const request_json = storedRequest(request, input);
  return requestOf({ request_json, input_json: JSON.stringify(input) });
}

test('every order of the catalog, its media and its actions are read as they were stored', () => {
  let shorter = 0;
  for (const model of models) {
    for (const prompt of ['a fox', 'ein Fuchs im Schnee ❄', null])
      for (const pictures of [null, PICTURES]) {
        const created = resolveRequest(model, { prompt, image_urls: pictures }, { purpose: 'quote' });
        if (!created.ok) continue;
        const { request } = created;
        const input = { model_id: model.model_id, ...wireInput(model, request) };
        assert.deepEqual(readAgain(request, input), JSON.parse(JSON.stringify(request)));
        const packed = packRequest(request, input);
        if (packed !== null && JSON.stringify(packed).length < JSON.stringify(request).length / 2) shorter++;
        for (const action of model.actions) {
          const parent = { request, grid: model.output?.tiles === 4, width: 1024, height: 1024 };
          const body = { action, index: 1, direction: 'left' };
          const followUp = resolveAction(model, body, parent, { purpose: 'quote' });
          if (!followUp.ok) continue;
          const fields = { model_id: model.model_id, parent_task_id: 'img_1', action };
          const shown = { ...fields, ...wireInput(model, followUp.request) };
          assert.deepEqual(readAgain(followUp.request, shown), JSON.parse(JSON.stringify(followUp.request)));
        }
      }
  }
  assert.ok(shorter > models.length, `only ${shorter} requests became half as long`);
});

test('what an engine keeps is read as it was stored, whatever its length', () => {
  const long = fc.array(fc.string({ unit: anyCharacter }), { maxLength: 200 });
  fc.assert(
    fc.property(long, fc.integer({ min: 0, max: 60 }), (texts, repeats) => {
      const keep = { texts, same: 'a fox in the snow'.repeat(repeats) };
      const stored = storedKeep(JSON.stringify(keep)) ?? '';
      assert.deepEqual(keepOf({ keep_json: stored }), keep);
      assert.ok(stored.length <= JSON.stringify(keep).length);
    }),
  );
});

test('outputs are read as they were stored, whatever they lack', () => {
  const count = fc.option(fc.nat());
  const always = fc.record({
    key: fc.string(),
    contentType: fc.constantFrom('image/png', 'video/mp4'),
    bytes: fc.nat(),
    width: count,
    height: count,
    durationSeconds: count,
    hasAudio: fc.option(fc.boolean()),
    sha256: fc.string(),
    fps: count,
    thumbnailKey: fc.option(fc.string()),
    tiles: count,
    seed: count,
    revisedPrompt: fc.option(fc.string({ unit: anyCharacter })),
  });
  const sometimes = fc.record(
    {
      previewKey: fc.string(),
      explanation: fc.array(fc.string()),
      isKept: fc.constant<true>(true),
      splices: fc.array(
        fc.record({ at: fc.nat(), inserted: fc.nat(), replaced: fc.base64String() }, { noNullPrototype: true }),
      ),
    },
    { requiredKeys: [] },
  );
  const output = fc.tuple(always, sometimes).map(([one, other]): StoredOutput => ({ ...one, ...other }));
  fc.assert(
    fc.property(fc.array(output, { maxLength: 4 }), (outputs) => {
      const short = storedOutputs(outputs);
      assert.deepEqual(outputsOf({ outputs_json: short }), outputs);
      const values = (JSON.parse(short) as object[]).flatMap((stored) => Object.values(stored));
      assert.ok(!values.includes(null));
    }),
  );
});

test('a request is read as it was stored, whatever it and the input beside it contain', () => {
  const sketch = models.find(({ model_id }) => model_id === 'sketch');
  assert.ok(sketch !== undefined);
  const resolved = resolveRequest(sketch, { prompt: 'a fox' }, { purpose: 'quote' });
  assert.ok(resolved.ok);
  const { request } = resolved;
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('', 'prompt', 'model_id', 'image_urls', 'parent_task_id,action', 'constructor'),
  );
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 2 }));
  const values = fc.dictionary(text, value, { maxKeys: 5 });
  const facts = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)), { maxKeys: 3 });
  const media = fc.array(
    fc.record({ field: text, index: fc.nat({ max: 1 }), kind: fc.constant('image'), source: text }),
  );
  const changes = fc.record({ values, media, action: fc.option(text), derived: facts, width: fc.nat({ max: 9_000 }) });
  fc.assert(
    fc.property(changes, values, fc.boolean(), (changed, other, isWhole) => {
      const { width, derived, ...rest } = changed;
      const output = { ...request.output, width, height: 1 };
      const made = { ...request, ...rest, derived: isWhole ? derived : { ...request.derived, ...derived }, output };
      const input = { model_id: 'sketch', ...other, ...made.values } as JsonObject;
      const stored = JSON.parse(JSON.stringify(made)) as ResolvedRequest;
      assert.deepEqual(readAgain(made as ResolvedRequest, input), stored);
    }),
  );
});
