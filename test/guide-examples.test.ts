import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import sharp from 'sharp';
import { startTestService, type TestService } from './helpers/service.ts';
import { createStoppableEngine } from './helpers/swift-engine.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** The examples of the guide, taken from the pages that a service serves, and run as they are printed there. */

const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });
const directory = await mkdtemp(join(tmpdir(), 'darkroom-guide-'));
wholeFile.after(() => rm(directory, { recursive: true, force: true }));
const photo = sharp({ create: { width: 320, height: 240, channels: 3, background: '#367' } });
await writeFile(join(directory, 'photo.png'), await photo.png().toBuffer());

/** What the examples in JavaScript leave to their readers. */
const ANSWERED = 'if (!response.ok) throw new Error(await response.text());';

interface Block {
  readonly language: string;
  readonly code: string;
}

test('every command of the guide runs as printed, with the address of the service', async () => {
  const blocks = (await blocksOf(service, '/docs')).filter(({ language }) => language === 'sh');
  assert.ok(blocks.length > 20, `${blocks.length} commands`);
  const results = await runAll(blocks.map(({ code }) => code).slice(1), service.keys.test);
  assert.equal(results.filter(({ made }) => made !== null).length > 5, true);
  const image = await sharp(join(directory, 'fox.png')).metadata();
  assert.deepEqual([image.format, image.width, image.height], ['png', 1024, 1024]);
});

test('every JavaScript example of the guide runs as printed, with the address of the service', async () => {
  const { key } = await service.issueKey({
    mode: 'test',
    accountId: await service.createAccount(null),
    accountView: true,
  });
  await rm(join(directory, 'fox.png'), { force: true });
  const blocks = (await blocksOf(service, '/docs')).filter(({ language }) => language === 'js');
  assert.ok(blocks.length > 40, `${blocks.length} examples`);
  const made: Record<string, string> = {};
  for (const { code } of blocks) {
    const earlier = Object.entries(made).filter(([name]) =>
      new RegExp(`\\b${name}\\b`).test(code.replace(/^const \w+ = data.*$/m, '')),
    );
    const lines = earlier.map(([name, id]) => `const ${name} = ${JSON.stringify(id)};`);
    const [, name] = /^const (\w+) = data\.\w+;$/m.exec(code) ?? [];
    const shown = name === undefined ? '' : `console.log(${name});`;
    const program = [...lines, code.replace(/^(?:const response = .*?;)$/ms, (call) => `${call}\n${ANSWERED}`), shown];
    await writeFile(join(directory, 'example.mjs'), program.join('\n'));
    const { stdout } = await run(process.execPath, ['example.mjs'], { DARKROOM_API_KEY: key });
    if (name !== undefined) made[name] = stdout.trim();
  }
  assert.ok(Object.keys(made).length > 5);
  assert.equal((await sharp(join(directory, 'fox.png')).metadata()).format, 'png');
});

test('every command of the page on webhooks runs as printed', async () => {
  const { key } = await service.issueKey({
    mode: 'test',
    accountId: await service.createAccount(null),
    accountView: true,
  });
  const blocks = (await blocksOf(service, '/docs/webhooks')).filter(({ language }) => /^(?:sh|bash)$/.test(language));
  assert.ok(blocks.length > 3, `${blocks.length} commands`);
  await runAll(
    blocks.map(({ code }) => code),
    key,
  );
});

test('every command of the skill for agents runs as printed, costs no more than it allows, and is paid once', async () => {
  const { key } = await service.issueKey({ mode: 'test', accountId: await service.createAccount(null) });
  const skill = await (await fetch(`${service.url}/docs/SKILL.md`)).text();
  assert.match(skill, /^---\nname: darkroom\ndescription: .+\n---\n/);
  const [ask = '', order = '', download = ''] = [...skill.matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  );
  await runAll([ask, order, order, download], key);
  const { items } = (await service.call(key, 'GET', '/v1/images')).data;
  assert.deepEqual(
    items.map(({ cost }) => [cost.state, Number(cost.amount) <= Number(/"max_price": "([\d.]+)"/.exec(order)?.[1])]),
    [['charged', true]],
  );
  assert.equal((await sharp(join(directory, 'fox.png')).metadata()).format, 'png');
});

/** Runs commands one after the other. As a reader would, it sets the variable that a command's last line asks for. */
async function runAll(commands: readonly string[], key: string) {
  const variables: Record<string, string> = { DARKROOM_API_KEY: key, DARKROOM_URL: service.url };
  const results: { readonly command: string; readonly made: string | null }[] = [];
  for (const command of commands) {
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], variables);
    assert.doesNotMatch(stdout, /^\{"error"/, `${command}\n${stdout}`);
    const [, name, field] = /^# Then set ([A-Z]+) to data\.([a-z_]+) of the response\.$/m.exec(command) ?? [];
    if (name !== undefined && field !== undefined) variables[name] = JSON.parse(stdout).data[field];
    results.push({ command, made: name ?? null });
  }
  return results;
}

async function run(program: string, args: readonly string[], variables: Readonly<Record<string, string>>) {
  const child = spawn(program, args, {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  assert.equal(code, 0, `${args.join(' ')}\n${stdout}\n${stderr}`);
  return { stdout };
}

/** The code blocks of a page as a browser shows them. */
async function blocksOf({ url }: TestService, path: string): Promise<readonly Block[]> {
  const page = await (await fetch(`${url}${path}`)).text();
  assert.doesNotMatch(page, /127\.0\.0\.1:8080/);
  return [...page.matchAll(/<pre [^>]*><code class="language-([^"]*)">(.*?)<\/code><\/pre>/gs)].map(
    ([, language = '', code = '']) => ({ language, code: unescapeHtml(code).trim() }),
  );
}

function unescapeHtml(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
