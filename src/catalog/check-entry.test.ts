import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '@darkroom-service/contract/catalog';
import { toModel } from './catalog.ts';
import { checkEntry } from './check-entry.ts';
import sample from './fixtures/sample.json' with { type: 'json' };

type Loose = Record<string, never> & Entry;

function faultsOf(name: string, change: (entry: Loose) => void): string {
  const entry = structuredClone(sample.models.find((model) => model.model_id === name)) as unknown as Loose;
  change(entry);
  return checkEntry(toModel({ vendor: 'Sample' }, entry)).join('\n');
}

const price = (entry: Entry, index: number) =>
  entry.pricing.components[index] as NonNullable<Entry['pricing']['components'][number]>;

function constrain(entry: Entry, when: object, demand: object): void {
  const parts = [
    ['when', when],
    ['then', demand],
    ['message', 'No.'],
  ];
  entry.constraints?.push(Object.fromEntries(parts));
}

test('the sample entries have no faults', () => {
  for (const { model_id: name } of sample.models)
    assert.equal(
      faultsOf(name, () => {}),
      '',
    );
});

const cases: [string, string, (entry: Loose) => void, RegExp][] = [
  [
    'a default that its own schema refuses',
    'sample-image',
    (e) => Object.assign(e.parameters.resolution as object, { default: '8K' }),
    /defaults are no valid request: resolution must be one of "1K"/,
  ],
  [
    'defaults that a constraint refuses together',
    'sample-film',
    (e) =>
      Object.assign(e.parameters.resolution as object, { default: '4k' }) &&
      Object.assign(e.parameters.duration as object, { default: 4 }),
    /defaults are no valid request: 1080p and 4k need duration 8/,
  ],
  [
    'a parameter without default',
    'sample-image',
    (e) => delete (e.parameters.seed as { default?: unknown }).default,
    /parameters.seed has no default/,
  ],
  [
    'a keyword that nothing reads',
    'sample-image',
    (e) => Object.assign(e.parameters.seed as object, { minumum: 1 }),
    /parameters.seed uses minumum/,
  ],
  [
    'a pattern that is none',
    'sample-image',
    (e) => Object.assign(e.parameters.size as object, { pattern: '(' }),
    /parameters.size.pattern/,
  ],
  [
    'a constraint about nobody',
    'sample-image',
    (e) => constrain(e, { sharpness: 1 }, { dogs: 1 }),
    /constraints\[4\].when names sharpness[\s\S]*then names dogs/,
  ],
  [
    'a value that a parameter never has',
    'sample-image',
    (e) => constrain(e, { quality: 'High' }, { seed: { present: false } }),
    /constraints\[4\].when.quality: "High" is none of its values/,
  ],
  [
    'a mode that does not exist',
    'sample-film',
    (e) => constrain(e, { mode: 'edit' }, { duration: 8 }),
    /when.mode: "edit" is none/,
  ],
  [
    'a price about nobody',
    'sample-image',
    (e) => Object.assign(price(e, 3), { when: { dogs: 1 } }),
    /pricing.components\[3\].when names dogs/,
  ],
  ['required fields that are none', 'sample-image', (e) => e.required.push(['dogs']), /required names dogs/],
  [
    'limits of nothing',
    'sample-image',
    (e) => Object.assign(e.limits as object, { dogs: { max: 1 } }),
    /limits names dogs/,
  ],
  [
    'two prices that match at once',
    'sample-film',
    (e) => Object.assign(price(e, 1), { when: { resolution: ['720p', '4k'] } }),
    /components\[0\] and \[1\] are both per output_second/,
  ],
  [
    'two prices whose bounds touch',
    'sample-grid',
    (e) =>
      Object.assign(price(e, 0), { when: { output_pixels: { max: 100 } } }) &&
      Object.assign(price(e, 1), { when: { output_pixels: { min: 100 } } }),
    /can match at once/,
  ],
  [
    'units that overlap',
    'sample-image',
    (e) => Object.assign(price(e, 1), { units: { from: 1 } }),
    /components\[0\] and \[1\] are both per output_megapixel/,
  ],
  [
    'presence as a price where there is a default',
    'sample-image',
    (e) => Object.assign(price(e, 3), { when: { quality: { present: true } } }),
    /whether it is present does not tell/,
  ],
  [
    'a price per formula that names none',
    'sample-image',
    (e) => Object.assign(price(e, 3), { per: 'formula' }),
    /components\[3\]: per formula and the field formula need each other/,
  ],
  [
    'video tokens of a picture',
    'sample-image',
    (e) =>
      Object.assign(price(e, 3), {
        per: 'formula',
        formula: { name: 'video_tokens', seconds: 'output_second', width: 1280, height: 720, fps: 24 },
      }),
    /components\[3\] is per video_tokens, which a picture does not have/,
  ],
  [
    'tokens of input videos whose length has no limit',
    'sample-film',
    (e) => {
      const formula = { name: 'video_tokens', seconds: 'input_plus_output_second', width: 1280, height: 720, fps: 24 };
      Object.assign(e.pricing as object, { components: [{ per: 'formula', formula, amount: '0.000007' }] });
      e.limits = { reference_video_urls: { role: 'reference_video' } };
    },
    /input_plus_output_second is metered, so limits.reference_video_urls needs max_seconds or max_total_seconds/,
  ],
  [
    'a formula of another unit',
    'sample-image',
    (e) => Object.assign(price(e, 3), { formula: { name: 'prompt_tokens', bytes: 4 } }),
    /components\[3\]: per formula and the field formula need each other/,
  ],
  [
    'seconds of a picture',
    'sample-image',
    (e) => Object.assign(price(e, 3), { per: 'output_second' }),
    /which a picture does not have/,
  ],
  [
    'metered films without a limit',
    'sample-film',
    (e) => Object.assign(e.limits as object, { reference_video_urls: { role: 'reference_video' } }),
    /limits.reference_video_urls needs max_seconds or max_total_seconds/,
  ],
  [
    'metered pictures without a limit',
    'sample-image',
    (e) => Object.assign(e.limits as object, { image_urls: { role: 'reference' } }),
    /limits.image_urls needs max_megapixels/,
  ],
  [
    'media without a role',
    'sample-image',
    (e) => delete (e.limits as { image_urls?: unknown }).image_urls,
    /limits.image_urls.role is missing/,
  ],
  [
    'media without a kind',
    'sample-image',
    (e) => delete (e.parameters.mask_url as unknown as { 'x-media'?: unknown })['x-media'],
    /parameters.mask_url takes references/,
  ],
  [
    'pictures without image_urls',
    'sample-film',
    (e) => {
      delete (e.parameters as { image_urls?: unknown }).image_urls;
      e.required = [['prompt']];
      delete (e.limits as { image_urls?: unknown }).image_urls;
    },
    /so it needs image_urls/,
  ],
  [
    'a tier of unknown size',
    'sample-image',
    (e) => Object.assign(e.parameters.resolution as object, { enum: ['1K', 'uhd'] }),
    /the resolution uhd has no size/,
  ],
  [
    'a size table with a hole',
    'sample-image',
    (e) => Object.assign(e, { sizing: { table: { '2K': { '1:1': '2048x2048' } } } }),
    /sizing.table.2K has no size at 16:9/,
  ],
  [
    'a film with odd sides',
    'sample-film',
    (e) =>
      Object.assign(e, { sizing: { table: { '720p': { '16:9': '1281x721', '9:16': '720x1280', '1:1': '960x960' } } } }),
    /a video needs an even width and height; found 1281x721/,
  ],
  [
    'an image model without aspect_ratio',
    'sample-grid',
    (e) => delete (e.parameters as { aspect_ratio?: unknown }).aspect_ratio,
    /an image model takes aspect_ratio/,
  ],
  [
    'actions without the feature',
    'sample-grid',
    (e) => {
      e.supported_features = ['text_to_image'];
    },
    /go together/,
  ],
  [
    'a source of a price that the entry does not have',
    'sample-grid',
    (e) => Object.assign(e, { price_sources: [{ source: 'a list', as_of: '2026-11', prices: [1, 99] }] }),
    /price_sources\[0\] names price 99, but pricing has/,
  ],
  [
    'a parameter named like a derived value',
    'sample-film',
    (e) => Object.assign(e.parameters, { mode: { type: 'string', default: null, description: 'x' } }),
    /parameters.mode has the name of a derived value/,
  ],
];

for (const [name, model, change, expected] of cases) {
  test(`finds ${name}`, () => {
    assert.match(faultsOf(model, change), expected);
  });
}

test('two prices that share no value of a parameter are fine', () => {
  assert.equal(
    faultsOf('sample-grid', (entry) => {
      Object.assign(price(entry, 0), { when: { output_pixels: { max: 100 } } });
      Object.assign(price(entry, 1), { when: { output_pixels: { above: 100 } } });
    }),
    '',
  );
});
