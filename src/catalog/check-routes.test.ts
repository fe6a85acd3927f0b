import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogRoute, Entry } from '@darkroom-service/contract/catalog';
import { toModel } from './catalog.ts';
import { checkEntry } from './check-entry.ts';
import sample from './fixtures/sample.json' with { type: 'json' };

function faultsOf(route: Omit<CatalogRoute, 'engine'>): string[] {
  const entry = structuredClone(sample.models.find(({ model_id }) => model_id === 'sample-image')) as unknown as Entry;
  return checkEntry(toModel({ vendor: 'Sample' }, { ...entry, routes: [{ engine: 'example', ...route }] }));
}

test('a route may map every parameter and every derived value', () => {
  const parameters = {
    prompt: 'text',
    resolution: { to: 'size', values: { '1K': 'small' }, when: { mode: 'text_to_image' } },
    width: 'w',
    both: { to: 'pixels', text: '{width}x{height}' },
    tag: { to: 'tag', text: 'always' },
    other: { to: 'seed', from: 'seed' },
  };
  assert.deepEqual(faultsOf({ when: { image_urls: { present: false } }, parameters, without: ['seed'] }), []);
});

test('an unknown name in a route is reported with its place', () => {
  const told = (route: Omit<CatalogRoute, 'engine'>) => faultsOf(route).join('\n');
  assert.match(told({ when: { imageurls: { present: true } } }), /routes\[0\]\.when names imageurls/);
  assert.match(told({ when: { mode: 'image_to_picture' } }), /routes\[0\]\.when\.mode: "image_to_picture" is none/);
  assert.match(told({ without: ['sed'] }), /routes\[0\]\.without names sed/);
  assert.match(told({ covers: ['sed'] }), /routes\[0\]\.covers names sed/);
  assert.match(told({ parameters: { promt: 'prompt' } }), /routes\[0\]\.parameters names promt/);
  assert.match(told({ parameters: { size: { to: 'size', text: '{width}x{hight}' } } }), /parameters names hight/);
  assert.match(told({ parameters: { prompt: { to: 'p', when: { sed: 1 } } } }), /parameters names sed/);
  assert.match(told({ parameters: { prompt: { to: 'p', shape: { of: '$', by: '$sed' } } } }), /parameters names sed/);
});

test('mapping a value that a parameter never has is a fault', () => {
  const [fault] = faultsOf({ parameters: { resolution: { to: 'size', values: { '9K': 'huge' } } } });
  assert.match(String(fault), /routes\[0\]\.parameters: resolution is never "9K"/);
});
