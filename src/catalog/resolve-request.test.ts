import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fault, JsonObject } from '@darkroom-service/contract';
import type { ResolvedRequest } from '@darkroom-service/contract/catalog';
import { changedModel, loadSampleCatalog, modelOf } from './fixtures/sample-catalog.ts';
import { resolveRequest } from './resolve-request.ts';

const catalog = await loadSampleCatalog();
const image = modelOf(catalog, 'sample-image');
const film = modelOf(catalog, 'sample-film');
const PICTURE = 'https://example.com/fox.png';

function accepted(model: typeof image, body: JsonObject, purpose: 'create' | 'quote' = 'create'): ResolvedRequest {
  const found = resolveRequest(model, body, { purpose });
  assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.faults));
  return found.request;
}

function refused(model: typeof image, body: JsonObject, purpose: 'create' | 'quote' = 'create'): Fault[] {
  const found = resolveRequest(model, body, { purpose });
  assert.ok(!found.ok, 'expected faults, found none');
  return found.faults;
}

function told(faults: readonly Fault[]): string[] {
  return faults.map(({ code, param }) => `${code} ${param}`);
}

describe('what a body says', () => {
  test('fills in every default and keeps the order of the entry', () => {
    const { values } = accepted(image, { prompt: 'a fox' });
    assert.equal(Object.keys(values).join(), Object.keys(image.parameters).join());
    assert.equal(values.resolution, '1K');
    assert.equal(values.num_images, 1);
    assert.equal(values.seed, null);
  });

  test('compares enum values without case and echoes the spelling of the entry', () => {
    assert.equal(accepted(image, { prompt: 'a fox', resolution: '2k' }).values.resolution, '2K');
    assert.equal(accepted(film, { prompt: 'a fox', resolution: '4K' }).values.resolution, '4k');
  });

  test('accepts null as not sent, whatever the default', () => {
    const standard = accepted(image, { prompt: 'a fox' }).values;
    const nothing = Object.fromEntries(Object.keys(standard).map((name) => [name, null]));
    assert.deepEqual(accepted(image, { ...nothing, prompt: 'a fox' }).values, standard);
    assert.deepEqual(told(refused(image, { prompt: null })), ['missing_prompt prompt']);
    assert.deepEqual(told(refused(image, { prompt: 'a fox', camera: null })), ['unsupported_field camera']);
  });

  test('takes duration as a number or a numeric string and compares it as a number', () => {
    assert.equal(accepted(film, { prompt: 'a fox', duration: '6' }).values.duration, 6);
    assert.equal(accepted(film, { prompt: 'a fox', duration: '6.0' }).values.duration, 6);
    assert.deepEqual(told(refused(film, { prompt: 'a fox', duration: '5' })), ['unsupported_value duration']);
    assert.deepEqual(told(refused(film, { prompt: 'a fox', duration: 'six' })), ['invalid_request duration']);
    assert.deepEqual(told(refused(film, { prompt: 'a fox', duration: '0x6' })), ['invalid_request duration']);
  });

  test('coerces nothing else', () => {
    const body = { prompt: 5, seed: '7', guidance_scale: true, num_images: '1', image_urls: PICTURE, resolution: 1 };
    assert.deepEqual(
      told(refused(image, body)),
      Object.keys(body).map((name) => `invalid_request ${name}`),
    );
  });

  test('takes exactly one picture per order', () => {
    accepted(image, { prompt: 'a fox', num_images: 1 });
    for (const count of [0, 2]) {
      assert.deepEqual(told(refused(image, { prompt: 'a fox', num_images: count }, 'quote')), [
        'unsupported_value num_images',
      ]);
    }
  });

  test('refuses unknown fields, also prototype names, and lists the accepted ones', () => {
    const body = JSON.parse(
      '{"prompt":"a fox","negative_prompt":"dogs","__proto__":{"a":1},"constructor":1,"toString":2}',
    );
    const faults = refused(image, body);
    assert.deepEqual(
      told(faults),
      ['negative_prompt', '__proto__', 'constructor', 'toString'].map((name) => `unsupported_field ${name}`),
    );
    assert.match(faults[0]?.message ?? '', /does not accept 'negative_prompt'\. Accepted fields: prompt, .*seed/);
  });

  test('reports all faults at once, each with its place', () => {
    const faults = refused(image, {
      image_urls: [PICTURE, 'ftp://example.com/fox.png', 7],
      palette: { colour: 'red', shade: 1 },
      seed: -1,
      dog: true,
    });
    assert.deepEqual(told(faults), [
      'invalid_reference image_urls[1]',
      'invalid_request image_urls[2]',
      'unsupported_value palette.colour',
      'unsupported_field palette.shade',
      'unsupported_value seed',
      'unsupported_field dog',
      'missing_prompt prompt',
    ]);
    assert.match(faults[4]?.message ?? '', /seed must be a whole number from 0 to 4294967295; found -1/);
  });

  test('refuses NUL and lone surrogates in every text', () => {
    assert.deepEqual(told(refused(image, { prompt: 'a\0b' })), ['invalid_request prompt']);
    assert.deepEqual(told(refused(image, { prompt: 'a\ud800b' })), ['invalid_request prompt']);
    assert.deepEqual(told(refused(image, { prompt: 'a', image_urls: ['https://a/\0'] })), [
      'invalid_request image_urls[0]',
    ]);
    const [fault] = refused(image, { prompt: 'a', 'x\ud800\0': 1 });
    assert.equal(fault?.code, 'unsupported_field');
    assert.ok(fault?.param?.isWellFormed() && !fault.param.includes('\0'));
  });

  test('bounds lists and texts by the limits of the entry', () => {
    assert.deepEqual(told(refused(image, { prompt: 'a', image_urls: [PICTURE, PICTURE, PICTURE, PICTURE] })), [
      'unsupported_value image_urls',
    ]);
    accepted(image, { prompt: 'word '.repeat(20) });
    const faults = refused(image, { prompt: 'word '.repeat(21) });
    assert.deepEqual(told(faults), ['prompt_too_long prompt']);
    assert.match(faults[0]?.message ?? '', /has 21 words; the maximum is 20/);
    assert.deepEqual(told(refused(film, { prompt: '🦊'.repeat(10_001) })), ['prompt_too_long prompt']);
    accepted(film, { prompt: '🦊'.repeat(10_000) });
  });

  test('limits the number of reported faults', () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field_${index}`, index]));
    assert.ok(refused(image, body).length < 200);
  });
});

describe('what a model needs', () => {
  test('requires a prompt that is not blank', () => {
    assert.deepEqual(told(refused(image, {})), ['missing_prompt prompt']);
    for (const prompt of [' \n ', '\u200B\u200D\uFEFF', '\u3164\u2800\u00AD\u{E0041}', '\u202A\u2066\u0007'])
      assert.deepEqual(told(refused(image, { prompt })), ['missing_prompt prompt'], JSON.stringify(prompt));
  });

  test('takes a medium in place of the prompt where the entry says so', () => {
    accepted(film, { image_urls: [PICTURE] });
    const [fault] = refused(film, {});
    assert.match(fault?.message ?? '', /Send prompt, or image_urls, or first_frame_url/);
  });

  test('in a quote, tolerates missing fields and checks the others', () => {
    accepted(image, {}, 'quote');
    assert.deepEqual(told(refused(image, { resolution: '9K' }, 'quote')), ['unsupported_value resolution']);
  });

  test('in a quote, prices a missing medium as if it were present', () => {
    const model = changedModel(film, { required: [['reference_video_urls']] });
    const { derived, values } = accepted(model, {}, 'quote');
    assert.equal(derived.video_input, true);
    assert.equal(values.reference_video_urls, null);
    assert.deepEqual(told(refused(model, { prompt: 'a fox' })), ['missing_reference reference_video_urls']);
  });
});

describe('what does not go together', () => {
  test('refuses two fields that say the same thing', () => {
    assert.deepEqual(told(refused(image, { prompt: 'a', size: '512x512', resolution: '2K', aspect_ratio: '16:9' })), [
      'unsupported_value size',
      'unsupported_value size',
    ]);
    accepted(image, { prompt: 'a', size: '512x512', resolution: '1K', aspect_ratio: '1:1' });
    assert.deepEqual(told(refused(film, { image_urls: [PICTURE], first_frame_url: PICTURE })), [
      'unsupported_value image_urls',
    ]);
  });

  test('applies the constraints of the entry over values, presence and counts', () => {
    const transparent = refused(image, { prompt: 'a', background: 'transparent', output_format: 'jpeg' });
    assert.deepEqual(told(transparent), ['unsupported_value output_format']);
    assert.equal(
      transparent[0]?.message,
      'A transparent background needs output_format png. Found output_format "jpeg".',
    );
    assert.deepEqual(told(refused(image, { prompt: 'a', mask_url: PICTURE })), ['unsupported_value image_urls']);
    assert.deepEqual(told(refused(image, { prompt: 'a', image_urls: [PICTURE, PICTURE], resolution: '4K' })), [
      'unsupported_value resolution',
    ]);
    assert.deepEqual(told(refused(film, { prompt: 'a', resolution: '1080p', duration: 4 })), [
      'unsupported_value duration',
    ]);
  });

  test('applies constraints over derived values and names the field behind them', () => {
    assert.deepEqual(told(refused(image, { prompt: 'a', size: '1000x1000' })), ['unsupported_value size']);
    const shots = [{ prompt: 'a', duration: 3 }];
    assert.deepEqual(told(refused(film, { prompt: 'a', shots })), ['unsupported_value shots']);
    accepted(film, { prompt: 'a', shots: [...shots, { prompt: 'b', duration: 5 }] });
  });

  test('counts a value equal to the default as not sent', () => {
    accepted(film, { image_urls: [PICTURE], aspect_ratio: '16:9' });
    assert.deepEqual(told(refused(film, { image_urls: [PICTURE], aspect_ratio: '9:16' })), [
      'unsupported_value aspect_ratio',
    ]);
  });
});

describe('what follows from a body', () => {
  const modes: [string, JsonObject][] = [
    ['text_to_video', { prompt: 'a' }],
    ['image_to_video', { image_urls: [PICTURE] }],
    ['first_last_frame', { image_urls: [PICTURE, PICTURE] }],
    ['first_last_frame', { first_frame_url: PICTURE, last_frame_url: PICTURE }],
    ['reference_to_video', { reference_video_urls: [PICTURE] }],
  ];
  for (const [mode, body] of modes) {
    test(`infers ${mode} from ${Object.keys(body).join(' and ')}`, () => {
      assert.equal(accepted(film, body).derived.mode, mode);
    });
  }

  test('counts media by field and kind', () => {
    const { derived, media } = accepted(image, { prompt: 'a', image_urls: [PICTURE, 'upload:f_1'], mask_url: PICTURE });
    assert.equal(derived.image_urls_count, 2);
    assert.equal(derived.image_count, 2);
    assert.equal(derived.mode, 'image_to_image');
    assert.deepEqual(
      media.map(({ field, index, source }) => `${field}[${index}] ${source}`),
      [`image_urls[0] ${PICTURE}`, 'image_urls[1] upload:f_1', `mask_url[0] ${PICTURE}`],
    );
  });

  test('leaves the length to the model where it is asked to', () => {
    const { derived, output } = accepted(film, { prompt: 'a', duration: -1 });
    assert.equal(output.durationSeconds, 5);
    assert.equal(derived.output_seconds, 8);
    assert.equal(derived.seconds_known, false);
  });

  test('does not claim to know a size that depends on an unmeasured picture', () => {
    const { derived } = accepted(image, { prompt: 'a', aspect_ratio: 'auto', image_urls: [PICTURE] });
    assert.equal(derived.size_known, false);
    assert.equal(derived.output_pixels, 1_048_576);
    assert.equal(accepted(image, { prompt: 'a', aspect_ratio: 'auto' }).derived.size_known, true);
  });
});
