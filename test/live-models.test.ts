import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UNVERIFIED } from '@darkroom-service/engines/fakes';
import { loadShippedCatalog } from '../src/catalog/fixtures/sample-catalog.ts';
import { ENGINE_VARIABLES } from '../src/service/config/engine-variables.ts';

const ENGINES = [
  'sketch',
  'fal',
  'replicate',
  'openai',
  'kling',
  'byteplus',
  'google',
  'xai',
  'comfy-router',
  'comfyui',
  'sd-server',
  'bfl',
  'dashscope',
  'heygen',
  'ideogram',
  'ltx',
  'luma',
  'minimax',
  'recraft',
  'runway',
  'vidu',
  'azure-openai',
  'vertex',
  'pixverse',
  'higgsfield',
  'openrouter',
];

const PAGE = readFileSync(join(import.meta.dirname, '..', 'packages', 'engines', 'fakes', 'README.md'), 'utf8');

test('the page of the engines names each model that has routes and no engine that makes it, and no other', async () => {
  const { models } = await loadShippedCatalog();
  const waiting = models.filter(
    ({ routes }) =>
      routes.length > 0 &&
      !routes.some(
        ({ engine, parameters }) => engine === 'sketch' || (ENGINES.includes(engine) && parameters !== undefined),
      ),
  );
  const [, list = ''] = /has no other route is not live:([\s\S]*?)\. /.exec(PAGE) ?? [];
  const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  assert.deepEqual(named.sort(), waiting.map(({ model_id }) => model_id).sort());
});

test('every engine that a variable switches on is one that routes may name', () => {
  const told = Object.keys(ENGINE_VARIABLES).flatMap((name) => /^DARKROOM_(.+)_URL$/.exec(name)?.[1] ?? []);
  const names = told.map((name) => name.toLowerCase().replaceAll('_', '-'));
  assert.deepEqual([...names, 'sketch'].sort(), ENGINES.toSorted());
});

test('the page of the fakes names every family of endpoints whose inputs were guessed', () => {
  const told = [...PAGE.matchAll(/`([a-z0-9./-]+)(\/…)?`/g)].map(([, name = '']) => name);
  assert.deepEqual(
    Object.keys(UNVERIFIED).filter((endpoint) => !told.some((name) => `${endpoint}/`.startsWith(`${name}/`))),
    [],
  );
});
