import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { findDebianProgram } from './helpers/debian-program.ts';
import { deployFiles } from './helpers/deploy-files.ts';
import { findHaproxy } from './helpers/haproxy.ts';
import { wholeFile } from './helpers/whole-file.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const DEPLOY = join(ROOT, 'deploy');
/** Where systemd looks for units below a root folder. */
const UNITS = 'etc/systemd/system';
/** Folders of drop-ins that deploy/README.md installs `common.conf` to. */
const DROP_INS = ['darkroom.service.d', 'darkroom-.service.d'];
/** Programs that the units name. */
const PROGRAMS = [
  'opt/darkroom/node_modules/.bin/darkroom',
  'usr/bin/env',
  'usr/bin/pg_dump',
  'usr/bin/mv',
  'usr/bin/aws',
  'bin/kill',
];
const systemUnits = globSync('/usr/lib/systemd/system/*.target');
const promtool = await findDebianProgram(wholeFile, '/usr/bin/promtool', ['prometheus']);
const haproxy = await findHaproxy(wholeFile);
const helm = await run('helm', ['version']).then(
  () => 'helm',
  () => null,
);

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-deploy-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('systemd finds no fault in the units, and each of them is confined', {
  skip: systemUnits.length === 0 && 'systemd is not installed',
}, async (t) => {
  const root = await makeFolder(t);
  const copy = async (from: string, to: string) => {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await copyFile(from, join(root, to));
  };
  for (const path of systemUnits) await copy(path, path);
  const units = deployFiles('systemd/*.{service,timer}').map((path) => path.replace('systemd/', ''));
  for (const unit of units) await copy(join(DEPLOY, 'systemd', unit), join(UNITS, unit));
  for (const folder of DROP_INS) await copy(join(DEPLOY, 'systemd/common.conf'), join(UNITS, folder, 'common.conf'));
  for (const program of PROGRAMS) {
    await mkdir(dirname(join(root, program)), { recursive: true });
    await writeFile(join(root, program), '#!/bin/sh\n');
    await chmod(join(root, program), 0o755);
  }
  const instances = units.map((unit) => unit.replace('@.', '@1.'));
  assert.ok(instances.length >= 5, instances.join(', '));
  const { stderr } = await run('systemd-analyze', ['verify', `--root=${root}`, '--man=no', ...instances]);
  assert.equal(stderr, '');
  for (const unit of instances.filter((name) => name.endsWith('.service')))
    await run('systemd-analyze', ['security', `--root=${root}`, '--offline=yes', '--threshold=20', unit]);
});

test('promtool accepts the rules, and they do what their tests say', {
  skip: promtool === null && 'promtool could not be fetched',
}, async () => {
  if (promtool === null) return;
  const { path, env } = promtool;
  const files = (names: readonly string[]) => names.map((name) => join(DEPLOY, 'monitoring', name));
  await run(path, ['check', 'rules', ...files(['alerts.yaml', 'objectives.yaml'])], { env });
  await run(path, ['test', 'rules', ...files(['alerts.test.yaml', 'objectives.test.yaml'])], { env });
});

test('the chart has no fault, and makes what example.yaml shows', {
  skip: helm === null && 'helm is not installed: go install helm.sh/helm/v3/cmd/helm@v3.19.2',
}, async () => {
  if (helm === null) return;
  await run(helm, ['lint', '--strict', 'deploy/helm'], { cwd: ROOT });
  const { stdout } = await run(helm, ['template', 'darkroom', 'deploy/helm'], { cwd: ROOT });
  const example = await readFile(join(DEPLOY, 'helm/example.yaml'), 'utf8');
  assert.equal(example.slice(example.indexOf('\n') + 1), stdout);
  const scaled = await run(helm, ['template', 'darkroom', 'deploy/helm', '--set', 'worker.scales=true'], { cwd: ROOT });
  assert.match(scaled.stdout, /name: darkroom_waiting_renders/);
  const without = await run(helm, ['template', 'darkroom', 'deploy/helm', '--set', 'backup.schedule='], { cwd: ROOT });
  assert.doesNotMatch(without.stdout, /CronJob/);
});

test('HAProxy accepts the files of one installation', {
  skip: haproxy === null && 'HAProxy could not be fetched',
}, async (t) => {
  if (haproxy === null) return;
  const folder = await makeFolder(t);
  for (const name of ['proxy/haproxy.cfg', 'docker/haproxy.cfg']) {
    const text = await readFile(join(DEPLOY, name), 'utf8');
    const file = join(folder, 'haproxy.cfg');
    // A certificate is made where it is installed.
    await writeFile(file, text.replaceAll(/ ssl crt \S+ alpn \S+/g, ''));
    await run(haproxy.path, ['-c', '-f', file], { env: haproxy.env });
  }
});
