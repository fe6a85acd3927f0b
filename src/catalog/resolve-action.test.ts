import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import type { ActionParent } from './action-output.ts';
import { loadSampleCatalog, modelOf } from './fixtures/sample-catalog.ts';
import { availableActions, resolveAction } from './resolve-action.ts';
import { resolveRequest } from './resolve-request.ts';

const catalog = await loadSampleCatalog();
const model = modelOf(catalog, 'sample-grid');
const MASK = 'upload:file_1';

function parentOf(body: JsonObject, facts: Omit<ActionParent, 'request'>): ActionParent {
  const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
  assert.ok(found.ok);
  return { request: found.request, ...facts };
}

const grid = parentOf({ speed: 'turbo' }, { grid: true, width: 1024, height: 1024 });
const wide = parentOf({ aspect_ratio: '3:2' }, { grid: false, width: 1248, height: 832 });
const square = { ...wide, width: 1024, height: 1024 };

function act(body: JsonObject, parent: ActionParent | null, purpose: 'create' | 'quote' = 'create') {
  const found = resolveAction(model, body, parent, { purpose });
  assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.faults));
  return found.request;
}

function told(body: JsonObject, parent: ActionParent | null): string[] {
  const found = resolveAction(model, body, parent, { purpose: 'create' });
  assert.ok(!found.ok);
  return found.faults.map(({ code, param }) => `${code} ${param}`);
}

test('a grid and a picture offer what can be done with them, and nothing else', () => {
  const names = (parent: ActionParent) => availableActions(model, parent).map(({ action }) => action);
  assert.deepEqual(names(grid), ['upscale', 'variation', 'reroll', 'remix']);
  assert.deepEqual(names(wide), ['reroll', 'upscale_subtle', 'vary_region', 'zoom_out', 'pan', 'make_square', 'remix']);
  assert.ok(!names(square).includes('make_square'));
  assert.deepEqual(names({ ...square, width: 4096, height: 4096 }), ['reroll', 'vary_region', 'zoom_out', 'remix']);
});

test('the parameters of an action show a default only where there is one', () => {
  const [upscale] = availableActions(model, grid);
  assert.deepEqual(Object.keys(upscale?.parameters.index ?? {}), ['type', 'minimum', 'maximum', 'description']);
});

test('an impossible action is refused with the list of possible ones', () => {
  for (const action of ['pan', 'vary_strong', 'constructor', '']) {
    const found = resolveAction(model, { action }, grid, { purpose: 'create' });
    assert.ok(!found.ok);
    assert.equal(found.faults[0]?.code, 'unsupported_action');
    assert.match(found.faults[0]?.message ?? '', /Available actions: upscale, variation, reroll, remix\./);
  }
  assert.deepEqual(told({}, grid), ['invalid_request action']);
  assert.deepEqual(told({ action: 4 }, grid), ['invalid_request action']);
});

test('fields of an action are checked like those of a create', () => {
  assert.deepEqual(told({ action: 'upscale' }, grid), ['invalid_request index']);
  assert.deepEqual(told({ action: 'upscale', index: 5, speed: 'fast', num_images: 2 }, grid), [
    'unsupported_value num_images',
    'unsupported_value index',
    'unsupported_field speed',
  ]);
  assert.deepEqual(told({ action: 'remix', prompt: ' ' }, grid), ['missing_prompt prompt']);
  assert.deepEqual(told({ action: 'vary_region' }, wide), ['missing_reference mask_url']);
  assert.deepEqual(told({ action: 'vary_region', mask_url: 'file:///etc/passwd' }, wide), [
    'invalid_reference mask_url',
  ]);
  assert.deepEqual(told({ action: 'pan', direction: 'LEFTISH' }, wide), ['unsupported_value direction']);
  assert.deepEqual(told({ action: 'pan', direction: 'left' }, { ...wide, width: 4096 }), [
    'unsupported_value direction',
  ]);
});

test("an action inherits the parent's prompt and settings", () => {
  const upscaled = act({ action: 'upscale', index: 2, num_images: 1 }, grid);
  assert.deepEqual(upscaled.values, { index: 2, prompt: 'a fox' });
  assert.equal(upscaled.derived.speed, 'turbo');
  assert.equal(upscaled.derived.action, 'upscale');
  const again = act({ action: 'zoom_out' }, { request: upscaled, grid: false, width: 1024, height: 1024 });
  assert.equal(again.derived.speed, 'turbo');
  assert.deepEqual(again.values, { ratio: 2, prompt: 'a fox' });
  assert.equal(act({ action: 'variation', index: 1, prompt: 'a dog' }, grid).values.prompt, 'a dog');
});

test('the output has the size and kind that the action promises', () => {
  const shape = (body: JsonObject, parent: ActionParent) => {
    const { width, height, tiles } = act(body, parent).output;
    return `${width}x${height} ${tiles ?? 1}`;
  };
  assert.equal(shape({ action: 'upscale', index: 1 }, grid), '1024x1024 1');
  assert.equal(shape({ action: 'variation', index: 1 }, grid), '1024x1024 4');
  assert.equal(shape({ action: 'reroll' }, grid), '1024x1024 4');
  assert.equal(shape({ action: 'upscale_subtle' }, wide), '2496x1664 1');
  assert.equal(shape({ action: 'upscale_subtle' }, { ...wide, width: 3000, height: 2000 }), '4096x2728 1');
  assert.equal(shape({ action: 'zoom_out' }, wide), '1248x832 1');
  assert.equal(shape({ action: 'pan', direction: 'left' }, wide), '1872x832 1');
  assert.equal(shape({ action: 'pan', direction: 'up' }, wide), '1248x1248 1');
  assert.equal(shape({ action: 'make_square' }, wide), '1248x1248 1');
  assert.equal(shape({ action: 'remix', prompt: 'a dog' }, wide), '1248x832 4');
  assert.equal(shape({ action: 'vary_region', mask_url: MASK }, wide), '1248x832 1');
  assert.deepEqual(act({ action: 'vary_region', mask_url: MASK }, wide).media, [
    { field: 'mask_url', index: 0, kind: 'image', source: MASK },
  ]);
});

test('a quote needs neither a parent nor the fields', () => {
  for (const action of model.actions) assert.equal(act({ action }, null, 'quote').action, action);
  assert.equal(
    resolveAction(modelOf(catalog, 'sample-image'), { action: 'pan' }, null, { purpose: 'quote' }).ok,
    false,
  );
});
