import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { faultsOf } from '../../../test/helpers/config-faults.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { VERSION } from '../../base/process.ts';
import { readEnvironment } from './environment.ts';

test('without any variable the service listens on the loopback and keeps its data below the working directory', () => {
  const config = loadConfig({}, { directory: '/srv/darkroom', cores: 4 });
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.equal(config.publicUrl, null);
  assert.equal(config.databasePath, join('/srv/darkroom', 'data', 'darkroom.db'));
  assert.equal(config.retentionMs, 30 * 24 * 60 * 60 * 1000);
  assert.equal(config.maxBodyBytes, 32 * 1024 * 1024);
  assert.equal(config.hardDeadlineMs, 6 * 60 * 60 * 1000);
  assert.equal(config.painters, 3);
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.corsOrigins));
});

test('with one core there is still one painter', () => {
  assert.equal(loadConfig({}, { cores: 1 }).painters, 1);
});

const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64');
const PREVIOUS_KEY = Buffer.alloc(32, 2).toString('base64');

test('every variable of the core is read, in the units that people write', () => {
  const { of: _, ...config } = loadConfig(
    {
      DARKROOM_HOST: '0.0.0.0',
      DARKROOM_PORT: '0',
      DARKROOM_PUBLIC_URL: 'https://example.com/darkroom/',
      DARKROOM_TRUST_PROXY: '10.0.0.0/8, ::1',
      DARKROOM_DATA_DIR: '/var/lib/darkroom',
      DARKROOM_HOLD: 'true',
      DARKROOM_WITHOUT: 'shares, mcp',
      DARKROOM_ROLE: 'all',
      DARKROOM_CELL: 'eu1',
      DARKROOM_LOG_LEVEL: 'debug',
      DARKROOM_LOG_REQUESTS: 'all',
      DARKROOM_CATALOG_DIR: 'models',
      DARKROOM_ENGINES: 'sketch, fal,',
      DARKROOM_CORS_ORIGINS: 'https://app.example.com,http://localhost:3000',
      DARKROOM_CATALOG_UNAVAILABLE: 'hide',
      DARKROOM_RETENTION_DAYS: '0.5',
      DARKROOM_APPROVE_OVER: '0.50',
      DARKROOM_DRAIN_SECONDS: '0',
      DARKROOM_LAME_DUCK_SECONDS: '1.5',
      DARKROOM_ALLOWED_ADDRESSES: '10.1.0.0/16,192.168.7.9',
      DARKROOM_URL_LIFETIME_HOURS: '1',
      DARKROOM_CDN_URL: 'https://cdn.example.com/files/',
      DARKROOM_CDN_SECONDS: '60',
      DARKROOM_METRICS_PORT: '9090',
      DARKROOM_PRICE_MULTIPLIERS: 'flux-*=1.2, vendor:Black Forest Labs=1.15',
      DARKROOM_COST_MULTIPLIERS: 'fal=0.9',
      DARKROOM_BELOW_COST_MODELS: 'seedance-2.5, sora-*',
      DARKROOM_PAINTERS: '2',
      DARKROOM_MEDIA_PROCESSES: '3',
      DARKROOM_MAX_BODY_MB: '0.5',
      DARKROOM_MAX_UPLOAD_MB: '1',
      DARKROOM_HARD_DEADLINE_MINUTES: '2',
      DARKROOM_SECRETS_KEY: `${SECRETS_KEY}, ${PREVIOUS_KEY}`,
      DARKROOM_UPSTREAM_KEY_FEE: '0.0025',
      DARKROOM_UPSTREAM_KEY_FEE_PERCENT: '7.5',
    },
    { directory: '/srv' },
  );
  assert.deepEqual(config, {
    host: '0.0.0.0',
    port: 0,
    publicUrl: 'https://example.com/darkroom',
    trustProxy: ['10.0.0.0/8', '::1'],
    dataDirectory: '/var/lib/darkroom',
    databasePath: join('/var/lib/darkroom', 'darkroom.db'),
    filesDirectory: join('/var/lib/darkroom', 'files'),
    databaseUrl: null,
    databaseListenUrl: null,
    databaseReplicaUrl: null,
    cell: 'eu1',
    storageUrl: null,
    s3: {},
    hold: true,
    without: ['shares', 'mcp'],
    role: 'all',
    serviceLinks: [],
    logLevel: 'debug',
    logRequests: 'all',
    catalogDirectories: [join(import.meta.dirname, '..', '..', '..', 'catalog'), join('/srv', 'models')],
    engines: ['sketch', 'fal'],
    engineLimits: {},
    engineInstances: [],
    ownEngines: { files: [], environment: {} },
    routePolicy: 'order',
    terms: {
      prices: [
        { models: 'flux-*', multiplier: '1.2' },
        { vendor: 'Black Forest Labs', multiplier: '1.15' },
      ],
      costs: { fal: '0.9' },
      belowCost: ['seedance-2.5', 'sora-*'],
    },
    switchedOn: [],
    upstreams: {
      fal: null,
      replicate: null,
      vendors: {
        openai: null,
        kling: null,
        byteplus: null,
        google: null,
        xai: null,
        'comfy-router': null,
        openrouter: null,
        bfl: null,
        dashscope: null,
        heygen: null,
        ideogram: null,
        ltx: null,
        luma: null,
        minimax: null,
        pixverse: null,
        higgsfield: null,
        recraft: null,
        runway: null,
        vidu: null,
      },
      azureOpenai: null,
      vertex: null,
      comfyui: null,
      sdServer: null,
    },
    corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
    catalogUnavailable: 'hide',
    retentionMs: 43_200_000,
    taskMs: null,
    auditMs: 400 * 86_400_000,
    drainMs: 0,
    lameDuckMs: 1_500,
    allowedAddresses: ['10.1.0.0/16', '192.168.7.9'],
    outgoing: {
      allowedAddresses: ['10.1.0.0/16', '192.168.7.9'],
      proxies: { https: null, http: null, except: [], resolves: false },
      userAgent: `Darkroom/${VERSION} (+https://example.com/darkroom/)`,
    },
    urlLifetimeMs: 3_600_000,
    cdn: { url: 'https://cdn.example.com/files', maxAgeSeconds: 60 },
    metricsPort: 9090,
    painters: 2,
    mediaProcesses: 3,
    maxBodyBytes: 524_288,
    maxUploadBytes: 1_048_576,
    maxDataUriBytes: 20_971_520,
    storageLimits: { key: 10_737_418_240, endUser: 1_073_741_824 },
    approveOver: 500_000,
    hardDeadlineMs: 120_000,
    softDeadlineMs: 120_000,
    upstreamWaits: { routePatienceMs: 45_000, upstreamWaitMs: 1_800_000 },
    secretsKey: { current: SECRETS_KEY, previous: PREVIOUS_KEY },
    secrets: [SECRETS_KEY, PREVIOUS_KEY],
    instanceFee: { amount: 2_500, share: '0.075' },
    budgets: {
      body_bytes: 67_108_864,
      streams: 200,
      waits: 1_000,
      reports: 2,
      examinations: 4,
      anonymous_requests: 256,
      examined_pixels: 2_000_000_000,
      examined_film_seconds: 3_600,
      varied_bytes: 67_108_864,
      visitor_bytes: 2_147_483_648,
    },
    endUserPercent: 10,
  });
});

test('all faults are reported together, each with its variable, the expected and the actual value', () => {
  const faults = faultsOf({
    DARKROOM_PORT: '80a',
    DARKROOM_PUBLIC_URL: 'ftp://example.com',
    DARKROOM_TRUST_PROXY: 'nginx',
    DARKROOM_LOG_LEVEL: 'loud',
    DARKROOM_RETENTION_DAYS: '-1',
    DARKROOM_ALLOWED_ADDRESSES: '10.0.0.0/99',
    DARKROOM_MODERATION_REQUIRED: 'yes',
    DARKROOM_CORS_ORIGINS: 'https://app.example.com/path',
    DARKROOM_PAINTERS: '1.5',
  });
  assert.equal(Object.keys(faults).length, 9);
  assert.equal(faults.DARKROOM_PORT, 'expected a whole number from 0 to 65535, found "80a"');
  assert.match(faults.DARKROOM_LOG_LEVEL ?? '', /expected one of fatal, error, warn, .* found "loud"/);
});

test('an Azure resource needs its address and its deployments, which map models', () => {
  assert.deepEqual(Object.keys(faultsOf({ AZURE_OPENAI_API_KEY: 'x' })), [
    'DARKROOM_AZURE_OPENAI_URL',
    'DARKROOM_AZURE_OPENAI_DEPLOYMENTS',
  ]);
  const settings = { AZURE_OPENAI_API_KEY: 'x', DARKROOM_AZURE_OPENAI_URL: 'https://mine.openai.azure.com' };
  const { upstreams, switchedOn } = loadConfig({
    ...settings,
    DARKROOM_AZURE_OPENAI_DEPLOYMENTS: 'gpt-image-2=ours,gpt-image-2.6-flare=flare-eu',
  });
  assert.deepEqual(upstreams.azureOpenai?.deployments, { 'gpt-image-2': 'ours', 'gpt-image-2.6-flare': 'flare-eu' });
  assert.deepEqual(switchedOn, [{ name: 'azure-openai', variable: 'AZURE_OPENAI_API_KEY' }]);
  const wrong = faultsOf({ ...settings, DARKROOM_AZURE_OPENAI_DEPLOYMENTS: 'gpt-image-2' });
  assert.match(wrong.DARKROOM_AZURE_OPENAI_DEPLOYMENTS ?? '', /expected pairs such as gpt-image-2=my-deployment/);
});

test('PORT counts where DARKROOM_PORT is not set, and is named when it is wrong', () => {
  assert.equal(loadConfig({ PORT: '3000' }).port, 3000);
  assert.equal(loadConfig({ PORT: '3000', DARKROOM_PORT: '4000' }).port, 4000);
  assert.deepEqual(Object.keys(faultsOf({ PORT: 'web' })), ['PORT']);
});

test('variables that Kubernetes sets for a Service named darkroom are ignored, wrong settings are not', () => {
  const links = {
    DARKROOM_SERVICE_HOST: '10.0.0.11',
    DARKROOM_SERVICE_PORT: '80',
    DARKROOM_SERVICE_PORT_HTTP: '80',
    DARKROOM_PORT: 'tcp://10.0.0.11:80',
    DARKROOM_PORT_80_TCP: 'tcp://10.0.0.11:80',
    DARKROOM_PORT_80_TCP_PROTO: 'tcp',
    DARKROOM_PORT_80_TCP_PORT: '80',
    DARKROOM_PORT_80_TCP_ADDR: 'fd00::11',
    DARKROOM_METRICS_PORT: 'tcp://[fd00::12]:9090',
    DARKROOM_METRICS_SERVICE_HOST: '10.0.0.12',
  };
  const config = loadConfig({ ...links, PORT: '3000' });
  assert.deepEqual([config.port, config.metricsPort], [3000, null]);
  assert.deepEqual(config.serviceLinks, Object.keys(links).sort());
  assert.equal(loadConfig(links).port, 8080);
  for (const wrong of ['tcp:8080', 'http://10.0.0.11:80', '80/tcp'])
    assert.deepEqual(Object.keys(faultsOf({ ...links, DARKROOM_PORT: wrong })), ['DARKROOM_PORT'], wrong);
  assert.deepEqual(Object.keys(faultsOf({ DARKROOM_SERVICE_PORT: 'http', DARKROOM_PORT_80: '80' })).length, 2);
});

test('the default lame-duck time is five seconds, and zero on the loopback interface', () => {
  assert.equal(loadConfig({}).lameDuckMs, 0);
  assert.equal(loadConfig({ DARKROOM_HOST: '0.0.0.0' }).lameDuckMs, 5_000);
  assert.equal(loadConfig({ DARKROOM_HOST: '0.0.0.0', DARKROOM_LAME_DUCK_SECONDS: '0' }).lameDuckMs, 0);
});

test('one port cannot serve two purposes', () => {
  const message = faultsOf({ DARKROOM_PORT: '9000', DARKROOM_METRICS_PORT: '9000' }).DARKROOM_METRICS_PORT;
  assert.equal(message, 'expected another port than DARKROOM_PORT (9000)');
});

test('an empty variable counts as unset, and blanks around a value do not matter', () => {
  const config = loadConfig({ DARKROOM_HOST: '', DARKROOM_METRICS_PORT: ' ', DARKROOM_PORT: ' 90 ' });
  assert.deepEqual([config.host, config.metricsPort, config.port], ['127.0.0.1', null, 90]);
});

test('a mistyped name is refused with the name that was meant', () => {
  assert.match(faultsOf({ DARKROOM_PROT: '1' }).DARKROOM_PROT ?? '', /Did you mean DARKROOM_PORT\?/);
  assert.match(faultsOf({ DARKROOM_GALAXY_BRAIN: '1' }).DARKROOM_GALAXY_BRAIN ?? '', /docs\/configuration\.md/);
  assert.doesNotThrow(() => loadConfig({ DARKROOM_URL: 'http://x', DARKROOM_API_KEY: 'dk_test_x', OTHER: '1' }));
});

test('database, storage, storage keys and role are read as written', () => {
  const config = loadConfig({
    DARKROOM_DATABASE_URL: 'postgres://me:secret@db/darkroom',
    DARKROOM_STORAGE_URL: 's3://bucket/prefix?region=eu-central-1',
    DARKROOM_ROLE: 'api',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
  });
  assert.equal(config.databaseUrl, 'postgres://me:secret@db/darkroom');
  assert.equal(config.storageUrl, 's3://bucket/prefix?region=eu-central-1');
  assert.equal(config.role, 'api');
  assert.deepEqual(config.s3.credentials, { accessKeyId: 'id', secretAccessKey: 'key' });
});

test('a password in an invalid URL is not repeated, and a worker needs the public URL', () => {
  const faults = faultsOf({
    DARKROOM_DATABASE_URL: 'mysql://me:secret@db/darkroom',
    DARKROOM_STORAGE_URL: 'gs://bucket',
  });
  assert.deepEqual(Object.keys(faults), ['DARKROOM_DATABASE_URL', 'DARKROOM_STORAGE_URL']);
  assert.doesNotMatch(JSON.stringify(faults), /secret/);
  assert.match(faultsOf({ DARKROOM_ROLE: 'worker' }).DARKROOM_PUBLIC_URL ?? '', /the address that clients use/);
});

test('several database servers must be asked for the one that accepts writes, and several replicas for a standby', () => {
  const list = 'postgres://me:secret@a:5432,b:5432/darkroom';
  const asked = `${list}?target_session_attrs=prefer-standby`;
  const config = loadConfig({ DARKROOM_DATABASE_URL: list, DARKROOM_DATABASE_REPLICA_URL: asked });
  assert.deepEqual([config.databaseUrl, config.databaseReplicaUrl], [list, asked]);
  const faults = faultsOf({ DARKROOM_DATABASE_URL: asked, DARKROOM_DATABASE_REPLICA_URL: list });
  assert.match(
    faults.DARKROOM_DATABASE_URL ?? '',
    /up to 8 servers as a:5432,b:5432 with target_session_attrs=read-write/,
  );
  assert.match(faults.DARKROOM_DATABASE_REPLICA_URL ?? '', /target_session_attrs=prefer-standby/);
  assert.doesNotMatch(JSON.stringify(faults), /secret/);
});

test('a proxy may be trusted by yes, by number and by address', () => {
  assert.equal(loadConfig({ DARKROOM_TRUST_PROXY: 'true' }).trustProxy, true);
  assert.equal(loadConfig({ DARKROOM_TRUST_PROXY: '2' }).trustProxy, 2);
  assert.equal(loadConfig({}).trustProxy, false);
});

test('an unknown engine is reported together with all other faults', () => {
  const faults = faultsOf({ DARKROOM_ENGINES: 'sketch,fall,comfyui', DARKROOM_PORT: 'x' });
  assert.deepEqual(Object.keys(faults).sort(), ['DARKROOM_ENGINES', 'DARKROOM_PORT']);
  assert.match(faults.DARKROOM_ENGINES ?? '', /sketch, local, tools, fal, .*found "fall"/);
  assert.deepEqual(loadConfig({ DARKROOM_ENGINES: 'sd-server' }).engines, ['sd-server']);
});

test('a .env file sets what the process does not', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  t.after(() => rm(directory, { recursive: true }));
  assert.deepEqual(readEnvironment(directory, { A: '1' }), { A: '1' });
  await writeFile(join(directory, '.env'), '# notes\nDARKROOM_PORT=9000\nDARKROOM_HOST="::1"\n');
  const environment = readEnvironment(directory, { DARKROOM_PORT: '9001' });
  assert.equal(environment.DARKROOM_PORT, '9001');
  assert.equal(environment.DARKROOM_HOST, '::1');
});

test('an address with a user or a password in it is refused, and not repeated', () => {
  for (const name of ['DARKROOM_PUBLIC_URL', 'DARKROOM_MODERATION_URL', 'DARKROOM_FAL_URL', 'DARKROOM_COMFYUI_URL']) {
    for (const credentials of ['ann:s3cret', 'ann', ':s3cret']) {
      const fault = faultsOf({ [name]: `https://${credentials}@example.com/` })[name] ?? 'taken';
      assert.match(fault, /^expected .*, found something else$/, name);
    }
  }
  assert.match(
    faultsOf({ DARKROOM_STORAGE_URL: 's3://ann:s3cret@bucket' }).DARKROOM_STORAGE_URL ?? '',
    /something else$/,
  );
});

test('what is marked as secret, or is so in an address, is known to the log; words and paths of files are not', () => {
  const { secrets } = loadConfig({
    DARKROOM_DATABASE_URL: 'postgres://darkroom:pass%2Fw0rd-1@db/darkroom',
    DARKROOM_DATABASE_REPLICA_URL: 'postgres://darkroom:darkroom@replica/darkroom',
    FAL_KEY: 'id-0123:secret-0123',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'of-the-bucket-1',
  });
  assert.deepEqual([...new Set(secrets)].sort(), ['id-0123:secret-0123', 'of-the-bucket-1', 'pass%2Fw0rd-1']);
});
