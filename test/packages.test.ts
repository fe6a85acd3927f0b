import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const root = lock.packages[''];

test('every version that is asked for is exact', () => {
  const workspaces = Object.keys(lock.packages).filter((folder) => !/(?:^|\/)node_modules\//.test(folder));
  assert.ok(workspaces.length > root.workspaces.length);
  for (const folder of workspaces) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = lock.packages[folder];
    // A library leaves the version of what it shares with its users to them.
    const peers = folder.startsWith('clients/') ? {} : peerDependencies;
    const wanted = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peers };
    // An addition imports the kernel of the program that it is part of.
    for (const [name, version] of Object.entries(wanted))
      if (name !== '@darkroom-service/darkroom' || version !== 'file:../..')
        assert.match(String(version), /^\d+\.\d+\.\d+[\w.-]*$/, `${folder}: ${name}`);
  }
});

test('packages that belong together have one version', () => {
  const { peerDependencies } = root;
  const { dependencies: aws } = lock.packages['packages/files'];
  const media = lock.packages['packages/media'];
  assert.equal(aws['@aws-sdk/s3-request-presigner'], aws['@aws-sdk/client-s3']);
  assert.equal(peerDependencies['@mediabunny/server'], media.dependencies.mediabunny);
  assert.equal(media.peerDependencies['@mediabunny/server'], media.dependencies.mediabunny);
  assert.equal(lock.packages.runtime.optionalDependencies['@mediabunny/server'], media.dependencies.mediabunny);
  const versions = new Map<string, unknown>();
  for (const folder of Object.keys(lock.packages).filter((one) => /^(?:$|(?:packages|additions)\/[^/]+$)/.test(one))) {
    const { dependencies: own, devDependencies } = lock.packages[folder];
    for (const [name, version] of Object.entries({ ...devDependencies, ...own })) {
      assert.equal(version, versions.get(name) ?? version, `${name} of ${folder}`);
      versions.set(name, version);
    }
  }
});

test('the lockfile names no address that a package was fetched from', () => {
  for (const [path, { resolved, link }] of Object.entries<Locked>(lock.packages))
    assert.ok(resolved === undefined || link === true, path);
});

test('the WebRTC library of node-av is not installed: a workspace stands in for it', () => {
  assert.deepEqual(lock.packages['node_modules/werift'], { resolved: 'runtime/without-webrtc', link: true });
  const nested = Object.keys(lock.packages).filter((path) => /\/node_modules\/werift$/.test(path));
  assert.deepEqual(nested, []);
});

test('TensorFlow.js is not installed with the network that enlarges pictures: a workspace stands in for it', () => {
  const installed = Object.keys(lock.packages).filter((path) => path.includes('node_modules/@tensorflow/'));
  assert.deepEqual(installed, ['node_modules/@tensorflow/tfjs']);
  assert.deepEqual(lock.packages['node_modules/@tensorflow/tfjs'], {
    resolved: 'runtime/without-tensorflow',
    link: true,
  });
});

interface Locked {
  readonly resolved?: string;
  readonly link?: boolean;
}
