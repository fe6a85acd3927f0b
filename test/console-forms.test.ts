import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FormField, toInput, toValue } from '../console/src/api/form-field.ts';
import { FORM_FIELDS } from '../console/src/api/form-fields.ts';
import { fieldWords } from '../console/src/texts/form-words.ts';

const NO_LIMITS = { day: null, month: null, total: null };
const KINDS: Readonly<Record<FormField['kind'], readonly unknown[]>> = {
  amount: ['0.5', '25'],
  count: [0, 3_000],
  flag: [true, false],
  moment: ['2026-11-20T14:05:00.000Z'],
  patterns: [['flux-*', 'sketch'], ['veo-*']],
  secret: ['dk secret'],
  text: ['shop backend'],
  windows: [NO_LIMITS, { day: '2.5', month: null, total: '100', timezone: 'Europe/Berlin' }],
};

test('a form that nobody changes sends the values with which it began', () => {
  for (const [kind, values] of Object.entries(KINDS)) {
    for (const value of values) {
      const field = { kind: kind as FormField['kind'] };
      assert.deepEqual(toValue(field, toInput(field, value)), value, kind);
    }
  }
});

test('an emptied field is sent as null where the contract accepts null, and left out elsewhere', () => {
  for (const kind of ['amount', 'moment', 'patterns', 'text'] as const) {
    assert.equal(toValue({ kind, nullable: true }, toInput({ kind }, null)), null, kind);
  }
  for (const kind of ['amount', 'moment', 'secret', 'text'] as const) assert.equal(toValue({ kind }, ' '), undefined);
  assert.deepEqual(toValue({ kind: 'patterns' }, ''), []);
});

test('what is no time, such as one beyond all dates, is sent as it was written, for the service to refuse', () => {
  for (const written of ['275761-01-01T00:00', 'soon']) assert.equal(toValue({ kind: 'moment' }, written), written);
});

test('no field of a form shows the name of the interface with its underscores', () => {
  for (const [form, fields] of Object.entries(FORM_FIELDS)) {
    for (const name of Object.keys(fields))
      assert.match(fieldWords(form, name).label, /^[A-Z][^_]*(?:deliver_to[^_]*)?$/);
  }
});
