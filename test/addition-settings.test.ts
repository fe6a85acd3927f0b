import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADDITIONS } from '../src/additions/list.ts';
import { loadConfig } from './load-config.ts';

/** The settings of all additions, by the addition's name. */
function settingsOf(environment: Readonly<Record<string, string>>): Record<string, unknown> {
  const config = loadConfig(environment, { directory: '/srv' });
  return Object.fromEntries(
    ADDITIONS.flatMap(({ name, settings }) => (settings === undefined ? [] : [[name, config.of(settings)]])),
  );
}

test('every variable of an addition is read, in the units that people write', () => {
  const settings = settingsOf({
    DARKROOM_DATABASE_URL: 'postgres://ann:hidden@db.example.com/darkroom',
    DARKROOM_REQUEST_LOG: 'failures',
    DARKROOM_PROVENANCE_LOOKUP: 'public',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.1.2.3:4318/',
    DARKROOM_NOTICES_URL: 'nats://nats.example.com',
    DARKROOM_PARTS_URL: 'postgres://ann:hidden@shared.example.com/parts',
    DARKROOM_MODERATION_URL: 'http://10.1.2.3/check',
    DARKROOM_MODERATION_REQUIRED: 'false',
  });
  assert.deepEqual(settings, {
    'request-log': 'failures',
    moderation: { url: 'http://10.1.2.3/check', required: false },
    origins: 'public',
    fleet: {
      noticesUrl: 'nats://nats.example.com',
      partsUrl: 'postgres://ann:hidden@shared.example.com/parts',
    },
    traces: 'http://10.1.2.3:4318',
  });
  assert.ok(Object.values(settings).every(Object.isFrozen));
});

test('additions whose variables are unset send nothing', () => {
  const { moderation, fleet, traces } = settingsOf({});
  assert.deepEqual([moderation, fleet, traces], [null, { noticesUrl: null, partsUrl: null }, null]);
});
