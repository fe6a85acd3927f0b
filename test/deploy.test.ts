import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CIRCUIT_STATES, MODES, TASK_STATUSES } from '@darkroom-service/contract';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { WORK_KINDS } from '../src/database/work.ts';
import {
  composeServices,
  deployFiles,
  environmentFile,
  kubernetesWorkloads,
  parseYaml,
  probes,
  readDeployFile,
  type Tree,
} from './helpers/deploy-files.ts';
import { loadConfig } from './helpers/load-config.ts';
import { readQuery } from './helpers/promql.ts';
import { startTestService } from './helpers/service.ts';

const ROOT = join(import.meta.dirname, '..');
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Labels that Prometheus adds. */
const ADDED_LABELS = ['job', 'instance'];
const LABEL_VALUES: Readonly<Record<string, readonly string[]>> = {
  job: ['darkroom'],
  mode: MODES,
  status: TASK_STATUSES,
  state: [...CIRCUIT_STATES, 'failed'],
  kind: ['unstored', 'late', 'damaged', ...WORK_KINDS],
  outcome: ['succeeded', 'failed', 'refused', 'canceled', 'began', 'delivered'],
  step: ['waiting', 'preparing', 'submitting', 'deferred', 'running'],
  reason: ['ended', 'silent'],
  route: ['/readyz'],
  method: ['POST'],
};
/** Of metrics that one order gives no sample; `engine` where none is listed. */
const OTHER_LABELS: Readonly<Record<string, readonly string[]>> = {
  darkroom_engine_faults_total: ['engine', 'call', 'fault'],
  darkroom_queue_oldest_seconds: ['queue', 'step'],
  darkroom_queue_tasks: ['queue', 'step'],
  darkroom_standby_behind_bytes: ['standby'],
  darkroom_standby_synchronous: ['standby'],
  darkroom_tasks_taken_over_total: ['reason'],
  darkroom_webhook_delivery_seconds: ['outcome'],
};

test('every YAML and JSON file of deploy/ can be parsed', () => {
  // Templates of the chart are no YAML before they are filled in.
  const files = deployFiles('**/*.{yaml,json}').filter((path) => !path.startsWith('helm/templates/'));
  assert.ok(files.length >= 10, files.join(', '));
  for (const path of files) {
    const content = path.endsWith('.json') ? [JSON.parse(readDeployFile(path))] : parseYaml(path);
    for (const each of content) assert.equal(typeof each, 'object', path);
  }
});

test('the dashboard, the alerts and the autoscaling use only metrics and labels that a running service has', async (t) => {
  const known = await knownMetrics(t);
  for (const { record } of recordingRules()) known.set(record, ['objective']);
  const queries = allQueries();
  assert.ok(queries.length > 40, `${queries.length} queries`);
  for (const { where, expression } of queries) {
    const { metrics, labels, values } = readQuery(expression);
    for (const metric of metrics.filter((name) => name !== 'up'))
      assert.ok(known.has(metric), `${where}: there is no metric ${metric}`);
    const allowed = [...metrics.flatMap((metric) => known.get(metric) ?? []), ...ADDED_LABELS];
    for (const label of labels.filter((name) => name !== 'le'))
      assert.ok(allowed.includes(label), `${where}: ${metrics.join(', ')} has no label ${label}`);
    for (const [label, value] of values)
      assert.ok(LABEL_VALUES[label]?.includes(value), `${where}: ${label} is never "${value}"`);
  }
});

test('a text of the dashboard or of an alert shows only labels that its query keeps', () => {
  for (const { where, expression, texts } of allQueries()) {
    const { metrics, labels } = readQuery(expression);
    const shown = [...texts.matchAll(/\{\{\s*\$?(?:labels\.)?(\w+)/g)].map(([, name = '']) => name);
    const kept = /\b(?:sum|max|min|count)\b/.test(expression) ? labels : [...labels, ...ADDED_LABELS];
    for (const name of shown.filter((name) => name !== 'value'))
      assert.ok(kept.includes(name), `${where} shows ${name} of ${metrics.join(', ')}`);
  }
});

test('every darkroom metric of the alerts in docs/operating.md has an alert rule', () => {
  const section = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
    .split('\n### Set alerts\n')[1]
    ?.split(/\n##+ /)[0];
  const wanted = [...(section ?? '').matchAll(/`((?:darkroom|nodejs)_\w+)/g)].map(([, name = '']) => name);
  assert.ok(wanted.length > 8, `${wanted.length} metrics`);
  const covered = alertRules().flatMap(({ expr }: Tree) => readQuery(expr).metrics);
  assert.deepEqual(
    wanted.filter((name) => !covered.includes(name)),
    [],
  );
});

test('each rule of Prometheus leads to an entry of the runbook', () => {
  const headings = [...readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8').matchAll(/^## (.+)$/gm)];
  const anchors = headings.map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'));
  for (const { alert, annotations } of alertRules()) {
    const [page, anchor = ''] = annotations.runbook_url.split('#');
    assert.deepEqual([page, anchors.includes(anchor)], ['https://pictures.example.com/docs/runbook', true], alert);
  }
});

test('each objective has its share of errors over every window, a budget, and a sentence in docs/operating.md', () => {
  const section = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8').split('\n### Watch the objectives\n')[1] ?? '';
  const windows = alertRules().flatMap(({ expr }: Tree) =>
    [...expr.matchAll(/:ratio_rate(\w+)/g)].map(([, one]) => one),
  );
  const wanted = [
    'budget:ratio',
    'events:increase1h',
    ...[...new Set(windows)].map((one) => `errors:ratio_rate${one}`),
  ];
  const byObjective = Map.groupBy(recordingRules(), ({ labels }: Tree) => labels.objective);
  assert.deepEqual([...byObjective.keys()], ['accepted', 'begun', 'settled', 'webhooks']);
  for (const [objective, records] of byObjective) {
    const names = records.map(({ record }) => record.replace('darkroom:objective_', ''));
    assert.deepEqual(names.toSorted(), wanted.toSorted(), objective);
    assert.ok(section.split('\n## ')[0]?.includes(`\`${objective}\``), objective);
  }
});

/** The file that the example of the unit names. */
function engineFile(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'darkroom-deploy-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'engines.json');
  writeFileSync(path, JSON.stringify({ engines: [{ name: 'fal-eu', kind: 'fal', key: 'id:secret' }] }));
  return path;
}

/** Variables that Node and the C library read. */
const OF_OTHERS = ['NODE_ENV', 'MALLOC_ARENA_MAX'];

test('the service accepts every setting of the Compose file, the systemd unit and the Kubernetes manifests', (t) => {
  const workloads = kubernetesWorkloads();
  const services = composeServices();
  assert.deepEqual(workloads.map(({ variables }) => variables.DARKROOM_ROLE).sort(), ['api', 'worker']);
  assert.deepEqual(services.map(({ variables }) => variables.DARKROOM_ROLE).sort(), ['api', 'api', 'worker', 'worker']);
  const known = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const systemd = {
    ...environmentFile('systemd/darkroom.env.example'),
    NODE_ENV: 'production',
    DARKROOM_ENGINES_FILE: engineFile(t),
  };
  for (const { name, variables } of [...workloads, ...services, { name: 'systemd', variables: systemd }]) {
    for (const variable of Object.keys(variables).filter((each) => !OF_OTHERS.includes(each)))
      assert.ok(known.includes(`\`${variable}\``), `${name}: docs/configuration.md has no ${variable}`);
    loadConfig(variables);
  }
});

test('no supervisor ends a process before it has drained', () => {
  const needed = ({ DARKROOM_LAME_DUCK_SECONDS: leaving, DARKROOM_DRAIN_SECONDS: drain }: Tree) =>
    Number(leaving) + Number(drain) + 15;
  for (const { name, spec, variables } of kubernetesWorkloads())
    assert.ok(spec.terminationGracePeriodSeconds >= needed(variables), name);
  for (const { name, service, variables } of composeServices())
    assert.ok(Number.parseInt(service.stop_grace_period, 10) >= needed(variables), name);
  const stop = /^TimeoutStopSec=(\d+)$/m.exec(readDeployFile('systemd/common.conf'))?.[1];
  assert.ok(Number(stop) >= needed(environmentFile('systemd/darkroom.env.example')));
});

test('every path that a probe asks answers 200', async (t) => {
  const metricsPort = await freePort();
  const { url } = await startTestService(t, { env: { DARKROOM_METRICS_PORT: String(metricsPort) } });
  const origins = { http: url, metrics: `http://127.0.0.1:${metricsPort}` };
  const all = probes();
  assert.ok(all.length >= 8, `${all.length} probes`);
  for (const { where, port, path } of all)
    assert.equal((await fetch(`${origins[port]}${path}`)).status, 200, `${where}: ${path}`);
});

test('every path for which nginx has a location of its own exists', async (t) => {
  const { url } = await startTestService(t);
  const paths = [...readDeployFile('proxy/nginx.conf').matchAll(/location = (\S+)/g)].map(([, path = '']) => path);
  assert.ok(paths.length >= 2, paths.join(', '));
  for (const path of paths)
    assert.notEqual((await fetch(url + path, { method: path === '/metrics' ? 'GET' : 'POST' })).status, 404, path);
});

test('the files of deploy/ name this version of the package and of the codecs', () => {
  const dockerfile = readDeployFile('docker/Dockerfile');
  assert.ok(dockerfile.includes(`/app/node_modules/${MANIFEST.name}/bin/darkroom.js`));
  assert.ok(dockerfile.includes(`/tmp/${MANIFEST.name.replace('@', '').replace('/', '-')}-`));
  assert.ok(dockerfile.includes(`@mediabunny/server@${MANIFEST.peerDependencies['@mediabunny/server']}`));
  assert.ok(dockerfile.includes(`image.version="${MANIFEST.version}"`));
  assert.ok(dockerfile.includes(`image.licenses="${MANIFEST.license}"`));
  for (const { name, service } of composeServices()) assert.equal(service.image, `darkroom:${MANIFEST.version}`, name);
  const [{ version, appVersion }] = parseYaml('helm/Chart.yaml');
  assert.deepEqual([version, appVersion], [MANIFEST.version, MANIFEST.version]);
  for (const { name, spec } of kubernetesWorkloads())
    assert.equal(spec.containers[0].image, `darkroom:${MANIFEST.version}`, name);
});

interface NamedQuery {
  readonly where: string;
  readonly expression: string;
  /** The texts that show labels of its result. */
  readonly texts: string;
}

function rules(): Tree[] {
  return ['alerts', 'objectives']
    .flatMap((name) => parseYaml(`monitoring/${name}.yaml`))
    .flatMap(({ groups }) => groups.flatMap(({ rules }: Tree) => rules));
}

function alertRules(): Tree[] {
  return rules().filter(({ alert }) => alert !== undefined);
}

function recordingRules(): Tree[] {
  return rules().filter(({ record }) => record !== undefined);
}

function allQueries(): NamedQuery[] {
  const dashboard = JSON.parse(readDeployFile('monitoring/dashboard.json'));
  const [{ rules: adapter }] = parseYaml('monitoring/prometheus-adapter.yaml');
  return [
    ...alertRules().map(({ alert, expr, annotations }) => ({
      where: alert,
      expression: expr,
      texts: Object.values(annotations).join(' '),
    })),
    ...recordingRules().map(({ record, expr }) => ({ where: record, expression: expr, texts: '' })),
    ...dashboard.panels.flatMap(({ title, targets = [] }: Tree) =>
      targets.map(({ expr, legendFormat }: Tree) => ({
        where: title,
        expression: expr.replaceAll('$__rate_interval', '5m').replaceAll('$mode', 'live'),
        texts: legendFormat,
      })),
    ),
    ...adapter.external.flatMap(({ name, seriesQuery, metricsQuery }: Tree) =>
      [seriesQuery, metricsQuery].map((expression) => ({ where: name.as, expression, texts: '' })),
    ),
  ];
}

/** Every series name of `/metrics` after one order, with its labels. */
async function knownMetrics(t: TestContext): Promise<Map<string, readonly string[]>> {
  const { call, keys, make } = await startTestService(t);
  const made = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  assert.equal(made.status, 'succeeded');
  const text = String((await call(keys.admin, 'GET', '/metrics')).body);
  const known = new Map<string, readonly string[]>();
  for (const [, name = '', kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const suffixes = kind === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const suffix of suffixes) {
      const samples = text.matchAll(new RegExp(`^${name}${suffix}\\{([^}]*)\\}`, 'gm'));
      const seen = [...samples].flatMap(([, pairs = '']) =>
        [...pairs.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
      );
      known.set(`${name}${suffix}`, seen.length > 0 ? [...new Set(seen)] : (OTHER_LABELS[name] ?? ['engine']));
    }
  }
  return known;
}
