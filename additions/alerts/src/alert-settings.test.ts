import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../test/helpers/config-faults.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { ALERT_SETTINGS } from './alert-settings.ts';

const SECRETS = ['a', 'b'].map((byte) => `whsec_${Buffer.from(byte.repeat(32)).toString('base64')}`);

test('alerts need a receiver that may be reached and a secret, and no fault repeats either', () => {
  const url = 'https://hooks.example.com/darkroom?token=hidden';
  assert.equal(loadConfig({}).of(ALERT_SETTINGS).webhook, null);
  assert.deepEqual(Object.keys(faultsOf({ DARKROOM_ALERT_WEBHOOK_SECRET: SECRETS.join() })), [
    'DARKROOM_ALERT_WEBHOOK_URL',
  ]);
  const inside = { DARKROOM_ALERT_WEBHOOK_URL: 'http://10.0.0.5/hook' };
  assert.deepEqual(Object.keys(faultsOf(inside)), ['DARKROOM_ALERT_WEBHOOK_SECRET', 'DARKROOM_ALERT_WEBHOOK_URL']);
  const whole = { ...inside, DARKROOM_ALERT_WEBHOOK_SECRET: SECRETS[0] ?? '' };
  assert.match(faultsOf(whole).DARKROOM_ALERT_WEBHOOK_URL ?? '', /not an address on the public internet/);
  assert.doesNotThrow(() => loadConfig({ ...whole, DARKROOM_ALLOWED_ADDRESSES: '10.0.0.0/8' }));
  for (const format of ['slack', 'ntfy'] as const) {
    const others = { DARKROOM_ALERT_WEBHOOK_URL: url, DARKROOM_ALERT_WEBHOOK_FORMAT: format };
    assert.deepEqual(loadConfig(others).of(ALERT_SETTINGS).webhook, { url, format, secrets: [] });
    const signed = faultsOf({ ...others, DARKROOM_ALERT_WEBHOOK_SECRET: SECRETS.join() });
    assert.deepEqual(Object.keys(signed), ['DARKROOM_ALERT_WEBHOOK_SECRET']);
    assert.deepEqual(Object.keys(faultsOf({ DARKROOM_ALERT_WEBHOOK_FORMAT: format })), ['DARKROOM_ALERT_WEBHOOK_URL']);
  }
  assert.deepEqual(Object.keys(faultsOf({ DARKROOM_ALERT_SMTP_URL: 'smtps://mail.example.com' })), [
    'DARKROOM_ALERT_SMTP_URL',
  ]);
  const wrong = {
    DARKROOM_ALERT_WEBHOOK_FORMAT: 'email',
    DARKROOM_ALERT_WEBHOOK_URL: url.replace('//', '//me:hidden@'),
    DARKROOM_ALERT_WEBHOOK_SECRET: 'whsec_hidden',
  };
  const faults = faultsOf(wrong);
  assert.deepEqual(Object.keys(faults).sort(), Object.keys(wrong).sort());
  assert.doesNotMatch(JSON.stringify(faults), /hidden/);
});
