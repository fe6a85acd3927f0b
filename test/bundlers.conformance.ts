import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from './helpers/service.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
/** From the npm registry; Vite is the console's own. */
const BUNDLERS = ['webpack@5.112.2', 'esbuild@0.28.2', 'rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3'];

const ENTRY = `
import { Darkroom, isDarkroomError } from '@darkroom/client';

globalThis.order = async (baseUrl, apiKey) => {
  const client = new Darkroom({ baseUrl, apiKey });
  const fox = await client.images.generate({ model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K' });
  const { length } = await fox.content().bytes();
  const unsaved = await fox.save('fox.png').catch((error) => error);
  const refused = await client.images.create({ model_id: 'sketch' }).catch((error) => error);
  return { length, unsaved: unsaved.message, name: refused.name, known: isDarkroomError(refused, 'missing_prompt') };
};
`;
const BUILD = `
import nodeResolve from '@rollup/plugin-node-resolve';
import { build as esbuild } from 'esbuild';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';

await new Promise((resolve, reject) => {
  const plugins = [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })];
  const output = { path: \`\${process.cwd()}/out\`, filename: 'webpack.js' };
  webpack({ mode: 'production', target: 'web', entry: './entry.js', output, plugins }, (error, stats) =>
    error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve());
});
await esbuild({ entryPoints: ['entry.js'], bundle: true, minify: true, platform: 'browser', outfile: 'out/esbuild.js' });
const rolled = await rollup({ input: 'entry.js', plugins: [nodeResolve({ browser: true })] });
await rolled.write({ file: 'out/rollup.js', format: 'iife', inlineDynamicImports: true });
const output = { format: 'iife', codeSplitting: false, entryFileNames: 'vite.js' };
await vite({
  configFile: false,
  logLevel: 'warn',
  build: { outDir: 'out', emptyOutDir: false, rolldownOptions: { input: 'entry.js', output } },
});
`;
const USE = `
await import(process.argv[2]);
console.log(JSON.stringify(await globalThis.order(process.env.DARKROOM_URL, process.env.DARKROOM_API_KEY)));
`;

test('webpack, esbuild, Rollup and Vite bundle the packed client for browsers, and the bundles order', async (t) => {
  const service = await startTestService(t);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bundlers-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const options = {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', DARKROOM_URL: service.url, DARKROOM_API_KEY: service.keys.test },
  };
  await run(process.execPath, [join(ROOT, 'packaging', 'pack-clients.ts'), folder], options);
  const client = (await readdir(folder)).find((name) => /^darkroom-client-.*\.tgz$/.test(name)) ?? assert.fail();
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--fetch-timeout=30000', `./${client}`, ...BUNDLERS],
    options,
  );
  await symlink(join(ROOT, 'node_modules', 'vite'), join(folder, 'node_modules', 'vite'));
  for (const [name, text] of Object.entries({ 'entry.js': ENTRY, 'build.js': BUILD, 'use.js': USE }))
    await writeFile(join(folder, name), text);
  const { stdout, stderr } = await run(process.execPath, ['build.js'], options);
  assert.doesNotMatch(`${stdout}${stderr}`, /externalized|could not resolve/i);
  for (const name of ['webpack', 'esbuild', 'rollup', 'vite']) {
    const bundle = join(folder, 'out', `${name}.js`);
    assert.doesNotMatch(await readFile(bundle, 'utf8'), /node:(?:fs|path|os)/, name);
    const said = JSON.parse((await run(process.execPath, ['use.js', bundle], options)).stdout);
    assert.ok(said.length > 1000, name);
    assert.match(said.unsaved, /A browser has no files with paths/, name);
    assert.deepEqual([said.name, said.known], ['ApiError', true], name);
  }
});
