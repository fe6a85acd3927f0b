import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { countPoints, type KernelMember, kernelMembers, kernelNames } from './structure/kernel-interface.ts';
import { readSources } from './structure/sources.ts';

const ROOT = join(import.meta.dirname, '..');
/** The interface of additions: its names, those with one user, the core files that declare them, and its points. */
const MOST_OF_KERNEL = { names: 189, 'with one user': 70, 'core files': 94, points: 66 };
const MOST_MEMBERS = 12;
/** Data, whose type and comment say all. */
const OF_DATA = ['AddedOperation', 'Values'];

const sources = readSources(ROOT);
const names = kernelNames(sources, ROOT);
const members = kernelMembers(sources);
const nameOf = ({ part, name }: KernelMember) => `${part}.${name}`;

test('the interface of additions has no more names, core files and points than before', () => {
  const found = {
    names: names.length,
    'with one user': names.filter(({ users }) => users.size === 1).length,
    'core files': new Set(names.map(({ from }) => from)).size,
    points: countPoints(sources),
  };
  assert.ok(names.length > 20, `${names.length} names`);
  for (const [what, count] of Object.entries(found)) {
    const most = MOST_OF_KERNEL[what as keyof typeof found];
    assert.ok(count <= most, `${what}: ${count}; at most ${most}`);
  }
  assert.deepEqual(
    names.filter(({ users }) => users.size === 0).map(({ name }) => name),
    [],
    'names that no addition imports',
  );
});

test('each name of the interface of additions has a comment', () => {
  const isCommented = (name: string, text = '') =>
    new RegExp(`\\*/\nexport (?:async )?(?:function|const|class|interface|type) ${name}\\b`).test(text);
  const silent = names.filter(({ name, from }) => !isCommented(name, sources.texts.get(`src/${from}`)));
  assert.deepEqual(
    silent.map(({ name }) => name),
    [],
  );
});

test(`no part of the kernel object has more than ${MOST_MEMBERS} members`, () => {
  const parts = Map.groupBy(members, ({ part }) => part);
  assert.ok(parts.size > 8, `${parts.size} parts`);
  const sizes = [...parts].map(([part, all]) => `${part}: ${new Set(all.map(({ name }) => name)).size}`);
  assert.deepEqual(
    sizes.filter((size) => Number(size.split(': ')[1]) > MOST_MEMBERS),
    [],
  );
});

test('each member of the kernel object has a comment, and each method an example that compiles', async (t) => {
  const documented = new Set(members.filter(({ comment }) => comment !== '').map(nameOf));
  const silent = members.map(nameOf).filter((name) => !documented.has(name));
  assert.deepEqual(silent, []);
  const examples = members.flatMap((member) => {
    const example = exampleOf(member.comment);
    return example === null ? [] : { name: nameOf(member), example };
  });
  const shown = new Set(examples.map(({ name }) => name));
  const withoutExample = members.filter((member) => !OF_DATA.includes(member.part) && !shown.has(nameOf(member)));
  assert.deepEqual(withoutExample.map(nameOf), []);
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-examples-'));
  t.after(() => rm(directory, { recursive: true }));
  const functions = examples.map(
    ({ name, example }, at) => `// ${name}\nexport async function example${at}(): Promise<void> {\n${example}\n}\n`,
  );
  await writeFile(join(directory, 'examples.mts'), `${SCENE}\n${functions.join('\n')}`);
  const compilerOptions = {
    noUnusedLocals: false,
    noUnusedParameters: false,
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  };
  const options = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.mts'], exclude: [] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(options));
  const compiled = await promisify(execFile)(process.execPath, [
    join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
    ...['-p', directory, '--noEmit'],
  ]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  assert.equal(compiled, '');
});

/** What each example may name. */
const SCENE = `
import { Type } from '${ROOT}/src/kernel.ts';
import type {} from '${ROOT}/src/http/server.ts';
import type { Act, Claim, OrderingKey, ServingKernel, Session, TaskRow, Transaction } from '${ROOT}/src/kernel.ts';

declare const kernel: ServingKernel;
declare const key: OrderingKey;
declare const by: Act;
declare const taskId: string;
declare const row: TaskRow;
declare const trx: Transaction;
declare const session: Session;
declare const claim: Claim;
declare const signal: AbortSignal;
declare const request: Parameters<typeof kernel.http.caller>[0];
declare const reply: Parameters<typeof kernel.http.budgets>[0];
declare const filters: Parameters<typeof kernel.tasks.range>[3];
declare const resolved: Parameters<typeof kernel.gates.openParent>[2];
declare const SETTINGS: Parameters<typeof kernel.settings.of<readonly string[]>>[0];
declare const amount: Parameters<typeof kernel.customers.creditFingerprint>[1];
declare const file: Parameters<typeof kernel.inputs.insert>[1];
declare const faults: Parameters<typeof kernel.accounts.readWebhookUrl>[1];
declare const scope: Parameters<typeof kernel.http.bodies.refuseJson>[0];
declare const scan: Parameters<typeof kernel.store.scanTexts>[0];
`;

/** Returns the code of the example in a comment; null = it has none. */
function exampleOf(comment: string): string | null {
  const [, example] = /@example\s([\s\S]*?)(?=\n\s*\* @|\*\/)/.exec(comment) ?? [];
  return example === undefined ? null : example.replaceAll(/^\s*\* ?/gm, '').trim();
}
