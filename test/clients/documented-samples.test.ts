import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { compileCacheVariable } from '@darkroom-service/media/process';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { BYTECODE, LITELLM_PACKAGES, OPENAI_PACKAGES, openPython, REPLICATE_PACKAGES } from './python.ts';

/**
 * The programs in the pages about clients, run as printed. Blocks marked `before` are programs for other services,
 * blocks of JSON lines are files for the commands.
 */

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['client-python.md', 'coming-from.md', 'cli.md', 'replicate.md'];
const CONFIGURED_ROUTER = `
import os, yaml, litellm
with open("config.yaml") as file:
    router = litellm.Router(model_list=yaml.safe_load(file)["model_list"])
for name in router.get_model_names():
    assert router.image_generation(model=name, prompt="a red fox in the snow").data[0].b64_json`;

const service = await startTestService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const { key } = await service.issueKey({ mode: 'test', accountView: true });

// Its many packages are fetched while the first programs run. The test that needs them tells of a fault.
openPython(LITELLM_PACKAGES).catch(() => {});

for (const page of PAGES) {
  const blocks = [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```(\S*)([^\n]*)\n(.*?)^```$/gms)].map(
    ([, language = '', mark = '', code = '']) => ({ language, mark: mark.trim(), code }),
  );
  const files = blocks.filter(({ language }) => language === 'jsonl');
  const programs = blocks.filter(({ mark, language }) => mark !== 'before' && language !== 'jsonl');

  test(`docs/${page} has only blocks that are run here, or that are marked as programs for another service`, () => {
    assert.deepEqual(
      programs.filter(({ language }) => !['python', 'ts', 'yaml', 'sh'].includes(language)).map(({ code }) => code),
      [],
    );
    assert.ok(programs.length > 0);
  });

  for (const [index, { language, code }] of programs.entries())
    test(`block ${index + 1} in ${language} of docs/${page} runs as printed`, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'darkroom-sample-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const printed = code.replaceAll('http://127.0.0.1:8080', service.url);
      for (const { mark, code: content } of files) await writeFile(join(folder, mark), content);
      if (language === 'sh') {
        const words = `"${process.execPath}" "${join(ROOT, 'src/main.ts')}" "$@"`;
        await run('sh', ['-ec', `darkroom() { ${words}; }\n${printed}`], folder);
        return;
      }
      if (language === 'ts') {
        await linkPackages(folder);
        await writeFile(join(folder, 'sample.ts'), printed);
        await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
        await run(process.execPath, ['sample.ts'], folder);
        return;
      }
      const usesLiteLlm = language === 'yaml' || code.includes('import litellm');
      const others = code.includes('import replicate') ? REPLICATE_PACKAGES : OPENAI_PACKAGES;
      const { path } = await openPython(usesLiteLlm ? LITELLM_PACKAGES : others);
      const program = language === 'yaml' ? CONFIGURED_ROUTER : printed;
      if (language === 'yaml') await writeFile(join(folder, 'config.yaml'), printed);
      await run(path, ['-W', 'error::DeprecationWarning:__main__', '-c', program], folder);
    });
}

async function linkPackages(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  await mkdir(join(packages, '@darkroom'), { recursive: true });
  await symlink(join(ROOT, 'clients/typescript'), join(packages, '@darkroom/client'));
  for (const name of ['openai', 'replicate']) await symlink(join(ROOT, 'node_modules', name), join(packages, name));
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: join(ROOT, 'clients/python/src'),
      ...BYTECODE,
      ...compileCacheVariable(),
      // Otherwise LiteLLM fetches its prices from the network.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      DARKROOM_URL: service.url,
      DARKROOM_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, `${output}\n${complaint}`);
}
