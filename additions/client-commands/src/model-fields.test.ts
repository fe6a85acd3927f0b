import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFault } from '../../../src/cli/command-fault.ts';
import { sortWords, typeFields } from './model-fields.ts';

function body(words: string[], parameters: Parameters<typeof typeFields>[1] = {}) {
  return typeFields(sortWords(words).fields, parameters);
}

test('words and fields may come in any order', () => {
  const { operands, fields } = sortWords(['--seed', '7', 'a fox', '--aspect-ratio=16:9', '--offset', '-3']);
  assert.deepEqual(operands, ['a fox']);
  assert.deepEqual(
    [...fields],
    [
      ['seed', ['7']],
      ['aspect_ratio', ['16:9']],
      ['offset', ['-3']],
    ],
  );
});

test('a place to deliver to is a destination, a presigned URL, or JSON', () => {
  const url = 'https://bucket.example.com/fox.png?X-Amz-Signature=1,2';
  assert.deepEqual(body(['--deliver-to', 'archive']), { deliver_to: { destination: 'archive' } });
  assert.deepEqual(body(['--deliver-to', url]), { deliver_to: { url } });
  assert.deepEqual(body(['--deliver-to', `{"urls":["${url}"]}`]), { deliver_to: { urls: [url] } });
});

test('each text gets the type that the model gives its field', () => {
  const parameters = {
    seed: { type: 'integer' },
    duration: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    generate_audio: { type: 'boolean' },
    seedless: { type: ['string', 'null'] },
    image_urls: { type: 'array', items: { type: 'string' } },
    weights: { type: 'array', items: { type: 'number' } },
    camera: { type: 'object' },
  };
  assert.deepEqual(
    body(
      [
        '--seed',
        '7',
        '--duration',
        'auto',
        '--generate-audio',
        '--seedless',
        '7',
        '--image-urls',
        'a,b',
        '--image-urls',
        'c',
        '--weights',
        '[1, 2.5]',
        '--camera',
        '{"zoom":2}',
        '--unknown',
        '12',
      ],
      parameters,
    ),
    {
      seed: 7,
      duration: 'auto',
      generate_audio: true,
      seedless: '7',
      image_urls: ['a,b', 'c'],
      weights: [1, 2.5],
      camera: { zoom: 2 },
      unknown: '12',
    },
  );
  assert.deepEqual(body(['--duration', '8', '--generate-audio=false'], parameters), {
    duration: 8,
    generate_audio: false,
  });
});

test('service fields need no model', () => {
  assert.deepEqual(body(['--metadata', 'order=42,seconds=7', '--simulate', 'outcome=timeout,seconds=3,explain=true']), {
    metadata: { order: '42', seconds: '7' },
    simulate: { outcome: 'timeout', seconds: 3, explain: true },
  });
  assert.deepEqual(body(['--max-price', '0.10', '--num-images', '1']), { max_price: '0.10', num_images: 1 });
});

test('what cannot be meant is a fault of usage', () => {
  for (const words of [['-x'], ['--seed'], ['--seed', '1', '--seed', '2'], ['--camera', '{zoom']]) {
    const parameters = { seed: { type: 'integer' }, camera: { type: 'object' } };
    assert.throws(
      () => body(words, parameters),
      (error) => error instanceof CommandFault && error.exitCode === 2,
    );
  }
});
