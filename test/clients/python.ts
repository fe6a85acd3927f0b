import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { digestOfFiles } from './digest-of-files.ts';

/** The published client that the tests drive. */
export const OPENAI_PACKAGE = 'openai==3.52.0';
/** The OpenAI package for Python, with the packages that documented programs import beside it. */
export const OPENAI_PACKAGES = [OPENAI_PACKAGE, 'httpx==0.28.1'];
/** LiteLLM, in the last version that an empty environment could install when this was written. */
export const LITELLM_PACKAGES = ['litellm==1.106.2', 'httpx==0.28.1'];
/** Replicate's client for Python. */
export const REPLICATE_PACKAGES = ['replicate==1.0.7'];

/** The folder of the Python client. */
export const PYTHON_CLIENT = join(import.meta.dirname, '../../clients/python');

/** A Python environment with packages installed. */
export interface Python {
  /** Its interpreter. Start installed programs by `-m`: the environment was moved after it was made. */
  readonly path: string;
  /** The variables that its programs need. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Runs a script to its end.
   * @param options.input the script reads it from standard input, as JSON
   * @returns what the script printed, parsed as JSON
   * @throws Error with the script's complaint when it fails
   */
  run(script: string, options?: PythonOptions): Promise<Printed>;
}

/** JSON of another program: no schema of ours describes it, so the test asserts what it reads. */
export type Printed = ReturnType<typeof JSON.parse>;

export interface PythonOptions {
  readonly input?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

const NEEDED = [3, 10] as const;
const NAMES = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/python');
/** Environment that makes Python programs share one folder of compiled modules, outside the sources. */
export const BYTECODE = { PYTHONPYCACHEPREFIX: join(CACHE, 'bytecode') };
/** The modules that make an environment; some systems ship Python without them. */
const PROBE = 'import sys, venv, ensurepip; print(*sys.version_info[:3])';

const run = promisify(execFile);
let base: ReturnType<typeof findPython> | null = null;
/** Folders that this process makes or has found. */
const made = new Map<string, Promise<void>>();

/**
 * Makes a Python environment with these packages, or finds the one that an earlier run made.
 * @param packages as pip takes them, versions pinned: `openai==3.52.0`
 * @throws Error that says what is missing when the machine has no Python that suffices
 */
export async function openPython(packages: readonly string[], variables: Python['variables'] = {}): Promise<Python> {
  const found = await findBase();
  const mark = createHash('sha256')
    .update(JSON.stringify([found, packages]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(CACHE, mark);
  await makeEnvironment(found.command, packages, folder);
  const path = interpreterOf(folder);
  return {
    path,
    variables,
    run: (script, { input, env } = {}) => runScript(path, script, { input, env: { ...variables, ...env } }),
  };
}

/** Opens an environment in which programs import the Python client from its wheel, with the packages of its tests. */
export async function openPythonClient(): Promise<Python> {
  const packages = readFileSync(join(PYTHON_CLIENT, 'requirements-test.txt'), 'utf8').trim().split('\n');
  const { path } = await openPython(packages);
  const sources = globSync(['src/**/*.py', 'pyproject.toml', 'README.md'], { cwd: PYTHON_CLIENT });
  const folder = join(CACHE, `wheel-${digestOfFiles(PYTHON_CLIENT, sources)}`);
  await makeOnce(folder, 'The wheel of the Python client could not be made.', async (draft) => {
    const client = join(draft, 'client');
    await cp(PYTHON_CLIENT, client, { recursive: true });
    await run(path, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', draft, client]);
    const [wheel = ''] = globSync('*.whl', { cwd: draft });
    const target = ['--target', join(draft, 'installed')];
    await installPackages(path, ['--no-deps', '--no-index', ...target, join(draft, wheel)]);
  });
  return await openPython(packages, { PYTHONPATH: join(folder, 'installed') });
}

async function findBase(): ReturnType<typeof findPython> {
  base ??= findPython();
  return await base;
}

async function findPython(): Promise<{ readonly command: string; readonly version: string }> {
  const found: string[] = [];
  for (const command of NAMES) {
    const probe = await run(command, ['-c', PROBE]).catch((error: Error) => error);
    if (probe instanceof Error) {
      if (!probe.message.includes('ENOENT')) found.push(`${command} (${probe.message.trim().split('\n').at(-1)})`);
      continue;
    }
    const version = probe.stdout.trim().replaceAll(' ', '.');
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major === NEEDED[0] && minor >= NEEDED[1]) return { command, version };
    found.push(`${command} (${version})`);
  }
  throw new Error(
    `The tests of Python clients need Python ${NEEDED.join('.')} or newer with the modules venv and ensurepip. ` +
      `Found: ${found.join(', ') || 'none'}. Install it (Debian and Ubuntu: apt install python3 python3-venv) and run them again.`,
  );
}

async function makeEnvironment(command: string, packages: readonly string[], folder: string): Promise<void> {
  await makeOnce(folder, `The Python packages ${packages.join(', ')} could not be installed.`, async (draft) => {
    await run(command, ['-m', 'venv', '--without-pip', draft]);
    await installPackages(interpreterOf(draft), packages);
  });
}

/**
 * Installs packages, as pip takes them with its options, into an environment that was made without pip, which would
 * take longer to install there than most packages. Modules are compiled when they are first imported.
 */
export async function installPackages(
  interpreter: string,
  packages: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const { command, version } = await findBase();
  const folder = join(CACHE, `pip-${version}`);
  await makeOnce(folder, 'A Python environment could not be made.', (draft) => run(command, ['-m', 'venv', draft]));
  const { stdout: pip } = await run(interpreterOf(folder), ['-c', 'import pip; print(pip.__path__[0])']);
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile', ...packages];
  const env = { ...process.env, ...options.env, PYTHONPATH: dirname(pip.trim()) };
  await run(interpreter, words, { ...options, env });
}

async function makeOnce(folder: string, failure: string, make: (draft: string) => Promise<unknown>): Promise<void> {
  const making = made.get(folder) ?? makeFolder(folder, failure, make);
  made.set(folder, making);
  await making;
}

/** Test files that run side by side may each make the same folder: the first to finish gives it its name. */
async function makeFolder(folder: string, failure: string, make: (draft: string) => Promise<unknown>): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'draft-'));
  try {
    await make(draft);
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw new Error(failure, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function interpreterOf(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

async function runScript(path: string, script: string, options: PythonOptions = {}): Promise<Printed> {
  const child = spawn(path, ['-c', script], {
    // Without the variables of the machine, such as those of proxies.
    env: { PATH: process.env.PATH, ...BYTECODE, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A script that fails at once does not read.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(options.input ?? null));
  const [output, complaint, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`The Python script ended with ${code ?? signal}:\n${complaint}`);
  return JSON.parse(output);
}
