import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { Webhook } from 'standardwebhooks';
import { answerOfNtfy, answerOfSlack } from '../../../test/fakes/alert-receivers.ts';
import { alertBelow } from '../../../test/helpers/alert-below.ts';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { createScriptedEngine } from '../../../test/helpers/scripted-engine.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { temporaryDirectory } from '../../../test/helpers/temporary-directory.ts';
import { startReceiver } from '../../../test/helpers/webhook-receiver.ts';

type Received = Awaited<ReturnType<typeof startReceiver>>['received'][0];

interface AlertEvent {
  readonly type: string;
  readonly data: {
    readonly alert_id: string;
    readonly kind: string;
    readonly subject: string;
    readonly url: string;
    readonly runbook_url: string;
  };
}

interface Check {
  readonly name: string;
  readonly detail: string;
}

const MINUTE = 60_000;
const SECRETS = ['a', 'b'].map((byte) => `whsec_${Buffer.from(byte.repeat(32)).toString('base64')}`);
const MORE_THAN_ANY_DISK = 1e15;
/** Of unknown cost it would be an alert. */
const ROUTE = {
  engine: 'scripted',
  cost: { as_of: '2026-11-25', source: 'a price list', components: [{ per: 'image', amount: '0.01' }] },
};

function alertSettings(url: string) {
  return {
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    DARKROOM_ALERT_WEBHOOK_URL: url,
    DARKROOM_ALERT_WEBHOOK_SECRET: SECRETS.join(),
  };
}

/** Reads an event that both secrets have signed, whatever the clock of the service says. */
function readEvent({ headers, body }: Received): AlertEvent {
  const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = SECRETS.map((secret) => new Webhook(secret).sign(headers['webhook-id']!, timestamp, body));
  assert.equal(headers['webhook-signature'], expected.join(' '));
  return JSON.parse(body) as AlertEvent;
}

/** Runs the doctor with these settings. */
async function doctor(variables: Record<string, string>, ...words: string[]) {
  const directory = await temporaryDirectory('darkroom-doctor-');
  const { code, stdout } = await runDarkroom(['doctor', '--json', ...words], variables, directory);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; found: string }[] };
  const production = checks.find(({ name }) => name === 'production alerts');
  return { code, production, ...checks.find(({ name }) => name === 'alerts') };
}

test('a receiver that refuses at first gets the beginning and the end of an alert once each, signed and with a link', async (t) => {
  const clock = new ManualClock();
  const receiver = await startReceiver(t, (attempt) => (attempt <= 2 ? 500 : 204));
  const engine = createScriptedEngine({ name: 'scripted' });
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'plain', routes: [ROUTE] })]);
  const { call, keys, url } = await startTestService(t, {
    ...alertBelow(0, { ...alertSettings(receiver.url), DARKROOM_CATALOG_DIR: overlay.directory }),
    service: {
      clock,
      engines: [engine],
      tempo: {
        addedEveryMs: 10,
        addedPausesMs: [1, 1, 1],
        lease: { ms: 60 * MINUTE, renewEveryMs: 5_000 },
      },
    },
  });
  engine.onStart = () => {
    throw new EngineError('auth', 'the key is wrong', { took: 'no' });
  };
  const { status } = await call(keys.live, 'POST', '/v1/images', { model_id: 'plain', prompt: 'a fox' });
  assert.equal(status, 201);
  /** The clock decides when an attempt or a check is due. */
  const reach = async (type: string) => {
    const read = () => {
      clock.advance(MINUTE / 6);
      return receiver.received.slice(2).find((one) => readEvent(one).type === type);
    };
    return (await until(read, (found) => found !== undefined)) as Received;
  };
  const accepted = await reach('alert.began');
  const began = readEvent(accepted);
  assert.deepEqual([began.data.kind, began.data.subject], ['circuit_open', 'scripted']);
  assert.equal(began.data.url, `${url}/#/now/upstreams`);
  assert.equal(began.data.runbook_url, `${url}/docs/runbook#circuit_open`);
  const attempts = receiver.received.slice(0, 3).map((one) => one.headers['webhook-id']);
  assert.deepEqual(attempts, Array(3).fill(accepted.headers['webhook-id']));

  engine.onStart = () => {};
  await call(keys.admin, 'POST', '/admin/v1/engines/scripted/circuit/close');
  const ended = readEvent(await reach('alert.ended'));
  assert.equal(ended.data.alert_id, began.data.alert_id);
  const ofAlert = receiver.received.slice(2).filter((one) => readEvent(one).data.alert_id === began.data.alert_id);
  assert.equal(ofAlert.length, 2);
  const list = async (query: string) =>
    (await call(keys.admin, 'GET', `/admin/v1/alerts?${query}` as '/admin/v1/alerts')).data;
  const host = new URL(receiver.url).host;
  const past = await until(
    () => list('state=ended'),
    ({ items }) => items.some(({ messages }) => messages[0]?.status === 'delivered'),
  );
  const [known] = past.items;
  assert.deepEqual([past.items.length, known?.alert_id, known?.action], [1, began.data.alert_id, null]);
  const { receiver: told, type, error } = known!.messages[0]!;
  assert.deepEqual([told, type, error], [host, 'alert.ended', null]);
  assert.ok(known!.ended_at! > known!.began_at);
  assert.deepEqual((await list('state=open')).items, []);
  assert.deepEqual((await list('kind=disk_nearly_full')).items, []);
  assert.deepEqual((await list(`after=${known!.alert_id}`)).items, []);
});

test('a full disk is reported by webhook, and the doctor sends a test alert to it', async (t) => {
  const receiver = await startReceiver(t);
  const settings = alertSettings(receiver.url);
  const { call, keys, config } = await startTestService(t, {
    ...alertBelow(MORE_THAN_ANY_DISK, settings),
    service: { tempo: { addedEveryMs: 10, addedPausesMs: [1, 1] } },
  });
  await receiver.count(1);
  const open = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items[0];
  const listed = await until(open, (alert) => alert?.messages.every(({ status }) => status === 'delivered') ?? false);
  assert.match(listed?.action ?? '', /^Free some space/);
  assert.deepEqual(
    listed?.messages.map(({ receiver: to, attempts }) => [to, attempts]),
    [[new URL(receiver.url).host, 1]],
  );
  const command = await runDarkroom(
    ['alerts', '--json', '--state', 'open'],
    {
      DARKROOM_DATA_DIR: config.dataDirectory,
      ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
    },
    config.dataDirectory,
  );
  assert.deepEqual(
    JSON.parse(command.stdout).items.map((alert: { alert_id: string }) => alert.alert_id),
    [listed?.alert_id],
  );
  const { type, data } = readEvent(receiver.received[0]!);
  const place = `${hostname()}:${config.dataDirectory}`;
  assert.deepEqual([type, data.kind, data.subject], ['alert.began', 'disk_nearly_full', place]);
  const sent = await doctor(settings, '--test-alert');
  assert.deepEqual([sent.code, sent.status], [0, 'ok']);
  assert.equal(receiver.received.length, 2);
  assert.equal(readEvent(receiver.received[1]!).type, 'alert.test');
  const untested = await doctor(settings, '--production');
  assert.deepEqual([untested.production?.status, untested.production?.found], ['warning', 'none was accepted']);
  const tested = await doctor(settings, '--production', '--test-alert');
  assert.equal(tested.production?.status, 'ok');
  const { databaseUrl, dataDirectory } = config;
  const running = {
    ...settings,
    DARKROOM_DATA_DIR: dataDirectory,
    ...(databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: databaseUrl }),
  };
  const known = await until(
    () => doctor(running, '--production'),
    ({ production }) => production?.status === 'ok',
  );
  assert.match(known.production?.found ?? '', /^accepted one at /);
  const off = await doctor({});
  assert.deepEqual([off.code, off.status], [0, 'ok']);
  assert.match(off.found ?? '', /DARKROOM_ALERT_WEBHOOK_URL is not set/);
  assert.equal((await doctor({}, '--test-alert')).code, 1);
});

test('a receiver that is gone gets a message about an alert once, and the list says why it failed', async (t) => {
  const receiver = await startReceiver(t, () => 410);
  const { call, keys } = await startTestService(t, {
    ...alertBelow(MORE_THAN_ANY_DISK, alertSettings(receiver.url)),
    service: { tempo: { addedEveryMs: 10, addedPausesMs: [1, 1] } },
  });
  const read = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items[0]?.messages[0];
  const message = await until(read, (found) => found?.status === 'failed');
  assert.equal(message?.attempts, 1);
  assert.match(`${message?.error}`, /410 \(Gone\)/);
});

for (const [format, answer, read] of [
  [
    'slack',
    answerOfSlack,
    ({ body }: Received) => {
      const [title = '', ...lines] = String(JSON.parse(body).text).split('\n');
      const [name, state, ...words] = title.split(': ');
      return { title: `${name}: ${state}`, lines: [words.join(': '), ...lines.slice(0, -1)], link: lines.at(-1) };
    },
  ],
  [
    'ntfy',
    answerOfNtfy,
    ({ headers, body }: Received) => ({
      title: `${headers.title}`,
      lines: body.split('\n'),
      link: headers.click,
    }),
  ],
] as const) {
  test(`an alert arrives at ${format} in its own format, with title, sentence, advice and link, and so does the test alert`, async (t) => {
    const receiver = await startReceiver(t, (_, received) => answer(received));
    const settings = {
      DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
      DARKROOM_ALERT_WEBHOOK_URL: receiver.url,
      DARKROOM_ALERT_WEBHOOK_FORMAT: format,
    };
    const engine = createScriptedEngine({ name: 'scripted' });
    const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'plain', routes: [ROUTE] })]);
    const { call, keys, url } = await startTestService(t, {
      ...alertBelow(0, { ...settings, DARKROOM_CATALOG_DIR: overlay.directory }),
      service: { engines: [engine], tempo: { addedEveryMs: 10 } },
    });
    engine.onStart = () => {
      throw new EngineError('auth', `<!channel> the key of Müller & Söhne is wrong ${'ü'.repeat(300)}`, { took: 'no' });
    };
    await call(keys.live, 'POST', '/v1/images', { model_id: 'plain', prompt: 'a fox' });
    await receiver.count(1);
    const began = read(receiver.received[0]!);
    assert.deepEqual([began.title, began.link], ['Darkroom: Alert', `${url}/#/now/upstreams`]);
    const [summary = '', action, times] = began.lines;
    const expected = '<!channel> the key of Müller & Söhne is wrong';
    const escaped = expected.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
    assert.ok(summary.includes(format === 'slack' ? escaped : expected), summary);
    assert.match(action ?? '', /^Read the upstream's reason/);
    assert.match(times ?? '', /^Began: 20\S+\.$/);
    if (format === 'ntfy') assert.equal(receiver.received[0]?.headers.priority, 'high');
    const open = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items[0];
    await until(open, (alert) => alert?.messages[0]?.status === 'delivered');
    const count = receiver.received.length;
    assert.deepEqual((await doctor(settings, '--test-alert')).status, 'ok');
    assert.equal(read(receiver.received[count]!).title, 'Darkroom: Test');
  });
}

test('alerts are recorded also without a receiver, such as a low balance at an upstream', async (t) => {
  const engine = { ...createScriptedEngine(), balance: async () => ({ amount: '4.5', unit: 'credits' }) };
  const options = alertBelow(MORE_THAN_ANY_DISK, { DARKROOM_ALERT_BALANCES: 'scripted=5,other=5' });
  const { call, keys } = await startTestService(t, { ...options, service: { engines: [engine] } });
  const open = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items;
  const alerts = await until(open, (items) => items.length === 2);
  assert.deepEqual(
    alerts.map(({ kind, messages }) => [kind, messages]),
    [
      ['upstream_balance_low', []],
      ['disk_nearly_full', []],
    ],
  );
  assert.match(alerts[0]?.summary ?? '', /^The account at scripted had 4\.5 credits left at .*, less than 5\.$/);
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/engines')).data;
  const told = items.find(({ name }) => name === 'scripted')?.balance;
  assert.deepEqual([told?.amount, told?.unit, told?.error], ['4.5', 'credits', null]);
  const metrics = (await call(keys.admin, 'GET', '/metrics')).body;
  assert.match(metrics, /^darkroom_upstream_balance\{engine="scripted",unit="credits"\} 4\.5$/m);
});

test('a condition that cannot be checked is an alert, and shows in the check and the metric; the others are still checked', async (t) => {
  const { call, keys, database } = await startTestService(t, {
    ...alertBelow(0),
    service: { tempo: { addedEveryMs: 10 } },
  });
  const open = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items;
  const shown = async () => {
    const text = String((await call(keys.admin, 'GET', '/metrics')).body);
    const { checks = [] } = (await call(keys.admin, 'GET', '/readyz')).body as { checks?: Check[] };
    return {
      metric: /^darkroom_alerts_up (\d)$/m.exec(text)?.[1],
      detail: checks.find(({ name }) => name === 'alert checks')?.detail ?? '',
    };
  };
  await until(shown, ({ metric, detail }) => metric === '1' && /^the last was made \d+ s ago$/.test(detail));
  await database.write('test', (trx) => trx.run(trx.builder.schema.alterTable('instances').dropColumn('told_at')));
  await call(keys.admin, 'POST', '/admin/v1/hold');
  const alerts = await until(open, (items) => items.some(({ kind }) => kind === 'watch_failed') && items.length === 2);
  assert.deepEqual(alerts.map(({ kind, subject }) => [kind, subject]).sort(), [
    ['held', null],
    ['watch_failed', 'balances'],
  ]);
  const found = await until(shown, ({ detail }) => detail.startsWith('Darkroom'));
  assert.equal(found.metric, '0');
  assert.match(found.detail, /^Darkroom has not been able to check balances since \S+: .*told_at/);
});

test('an operator learns which models are sold below cost with the configured keys, and for which the cost is unknown', async (t) => {
  const of = (model_id: string, cost: object) => plainEntry({ model_id, routes: [{ engine: 'scripted', cost }] });
  const costs = { ...ROUTE.cost, components: [{ per: 'image', amount: '0.03' }] };
  const overlay = await openCatalogOverlay(t, [
    of('allowed', costs),
    of('not-sold', costs),
    of('unknown', { as_of: '2026-11-25', unknown: 'a page without a price' }),
  ]);
  const env = { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_BELOW_COST_MODELS: 'allowed' };
  const { call, keys } = await startTestService(t, {
    ...alertBelow(0, env),
    service: { engines: [createScriptedEngine()], tempo: { addedEveryMs: 10 } },
  });
  const open = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items;
  const alerts = await until(open, (items) => items.length >= 2);
  assert.deepEqual(alerts.map(({ kind, subject, summary }) => [kind, subject, summary]).sort(), [
    [
      'below_cost',
      'scripted',
      'With your keys, allowed loses 0.02 an image at scripted; it is sold there because DARKROOM_BELOW_COST_MODELS allows it.',
    ],
    ['unknown_cost', 'scripted', 'With your keys, the cost of one route at scripted is unknown: unknown.'],
  ]);
});
