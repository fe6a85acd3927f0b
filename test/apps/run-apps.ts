/**
 * Runs the programs of this folder, each of which makes pictures through an application that is pointed here by its own
 * settings: `npm run doors:apps [name …]`. An application that is not installed is named, and how to install it.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Each with the variable that names the installed application. */
const APPS: Readonly<Record<string, string>> = {
  'open-webui': 'DARKROOM_TEST_OPEN_WEBUI',
  litellm: 'DARKROOM_TEST_LITELLM',
  sillytavern: 'DARKROOM_TEST_SILLYTAVERN',
  n8n: 'DARKROOM_TEST_N8N',
  comfyui: 'DARKROOM_TEST_COMFYUI',
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in APPS));
if (unknown !== undefined) throw new Error(`There is no ${unknown}. Known: ${Object.keys(APPS).join(', ')}.`);

for (const [name, variable] of Object.entries(APPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (process.env[variable] === undefined) {
    process.stdout.write(`${name}: not run. test/apps/${name}.ts says how to install it; then set ${variable}.\n`);
    continue;
  }
  process.stdout.write(`${name}:\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
