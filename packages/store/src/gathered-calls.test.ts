import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatheredCalls } from './gathered-calls.ts';
import { prepareSharedSelect, prepareSharedUpdate } from './prepare-shared.ts';

interface Secrets {
  secrets: { name: string; value: string };
}

const read = prepareSharedSelect<Secrets, { name: string }, { value: string }, 'secrets'>(
  'calls_read',
  { name: 'text' },
  (builder, argument) => builder.selectFrom('secrets').select('value').where('name', '=', argument('name')),
);
const replace = prepareSharedUpdate<
  Secrets,
  { name: string; value: string; before: string },
  { value: string },
  'secrets'
>('calls_replace', { row: 'name', types: { name: 'text', value: 'text', before: 'text' } }, (builder, argument) =>
  builder
    .updateTable('secrets')
    .set({ value: argument('value') })
    .where('name', '=', argument('name'))
    .where('value', '=', argument('before'))
    .returning('value'),
);

test('calls of one moment share a statement, except for those that change the same row', async () => {
  const sent: [string, object][] = [];
  const calls = new GatheredCalls(async (query, values) => {
    sent.push([query.name, values]);
    return [];
  });
  const change = (name: string) => calls.first(replace as never, { name, value: '2', before: '1' });
  await Promise.all([change('a'), change('b'), change('a'), calls.first(read as never, { name: 'a' })]);
  assert.deepEqual(sent, [
    ['calls_replace_each', { name: ['a', 'b'], value: ['2', '2'], before: ['1', '1'] }],
    ['calls_replace', { name: 'a', value: '2', before: '1' }],
    ['calls_read', { name: 'a' }],
  ]);
});
