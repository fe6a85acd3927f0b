import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ADDITIONS } from '../src/additions/list.ts';
import { loadConfig } from './helpers/load-config.ts';

const SECRETS = ['a', 'b'].map((byte) => `whsec_${Buffer.from(byte.repeat(32)).toString('base64')}`);

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
    DARKROOM_LOCAL_MODERATION: 'porn:0.8,hentai:0.75',
    DARKROOM_OIDC_ISSUER: 'https://login.example.com/realms/studio',
    DARKROOM_OIDC_CLIENT_ID: 'darkroom',
    DARKROOM_OIDC_DOMAINS: 'example.com',
    DARKROOM_OIDC_ROLES: 'designers=creator@studio',
    DARKROOM_OIDC_GROUPS_CLAIM: 'realm_access.roles',
    DARKROOM_ALERT_WEBHOOK_URL: 'https://hooks.example.com/a?token=b',
    DARKROOM_ALERT_WEBHOOK_SECRET: SECRETS.join(),
    DARKROOM_ALERT_WEBHOOK_FORMAT: 'signed',
    DARKROOM_ALERT_BALANCES: 'runway=500, recraft=12.5',
    DARKROOM_DOORS: 'a1111',
    DARKROOM_OPENAI_MOUNT_ALIASES: 'gpt-image-1=sketch, dall-e-*=flux-2-pro',
    DARKROOM_LOCAL_DIR: 'weights',
    DARKROOM_LOCAL_HUB_URL: 'http://10.1.2.3/hub/',
    DARKROOM_LOCAL_HUB_TOKEN: 'hf_0123',
    DARKROOM_LOCAL_RELEASES_URL: 'https://releases.example.com',
    DARKROOM_LOCAL_PROXY: 'http://ann:s3cret@proxy.example.com:3128',
    DARKROOM_LOCAL_SD_SERVER: 'bin/sd-server',
    DARKROOM_LOCAL_SERVERS: '3',
    DARKROOM_LOCAL_NETWORK: 'closed',
    DARKROOM_LOCAL_MEMORY_MB: '1000',
    DARKROOM_LOCAL_IDLE_SECONDS: '60',
    CUDA_VISIBLE_DEVICES: '1',
    HF_TOKEN: 'hf_secret',
  });
  assert.deepEqual(settings, {
    a1111: { isOpen: true },
    openai: {
      aliases: [
        { name: 'gpt-image-1', modelId: 'sketch' },
        { name: 'dall-e-*', modelId: 'flux-2-pro' },
      ],
      holdMs: 45_000,
    },
    alerts: {
      webhook: { url: 'https://hooks.example.com/a?token=b', format: 'signed', secrets: SECRETS },
      waitingMs: 900_000,
      freeBytes: 2_147_483_648,
      balances: { runway: 500, recraft: 12.5 },
    },
    local: {
      directory: join('/srv', 'weights'),
      hubUrl: 'http://10.1.2.3/hub',
      hubToken: 'hf_0123',
      releasesUrl: 'https://releases.example.com',
      proxy: 'http://ann:s3cret@proxy.example.com:3128',
      program: join('/srv', 'bin', 'sd-server'),
      servers: 3,
      memoryBytes: 1_048_576_000,
      idleMs: 60_000,
      loadMs: 600_000,
      stallMs: 900_000,
      network: 'closed',
      environment: { CUDA_VISIBLE_DEVICES: '1' },
      ownServers: [],
      isWanted: true,
    },
    'request-log': 'failures',
    moderation: { url: 'http://10.1.2.3/check', required: false },
    'local-moderation': { porn: 0.8, hentai: 0.75 },
    provenance: { setting: null, certificate: null, key: null },
    origins: 'public',
    fleet: {
      noticesUrl: 'nats://nats.example.com',
      partsUrl: 'postgres://ann:hidden@shared.example.com/parts',
    },
    traces: 'http://10.1.2.3:4318',
    people: {
      provider: { issuer: 'https://login.example.com/realms/studio', clientId: 'darkroom', clientSecret: null },
      domains: ['example.com'],
      groupsClaim: 'realm_access.roles',
      rules: [{ group: 'designers', role: 'creator', accountId: 'studio' }],
    },
  });
  assert.ok(Object.values(settings).every(Object.isFrozen));
});

test('additions whose variables are unset send nothing', () => {
  const { moderation, fleet, traces } = settingsOf({});
  assert.deepEqual([moderation, fleet, traces], [null, { noticesUrl: null, partsUrl: null }, null]);
});
