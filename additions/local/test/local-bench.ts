import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../test/helpers/temporary-directory.ts';
import { type ModelRecord, openStore } from '../src/store.ts';

/** Pulled models whose server is a program of the tests. */
export interface LocalBench {
  /** The settings of a service that uses them. */
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /**
   * Adds a pulled model.
   * @param plan what its server does; see fakes/sd-server-process.ts
   * @param changes of its record
   */
  pull(name: string, plan?: object, changes?: Partial<ModelRecord>): Promise<Pulled>;
}

/** A word and its facts. */
export type Happening = readonly [word: string, ...facts: unknown[]];

export interface Pulled {
  readonly plan: string;
  /** What its servers have done so far. */
  happened(): Promise<Happening[]>;
  /** Lets the next trouble that a prompt calls `once` happen. */
  once(): Promise<void>;
  /** Lets orders on hold go on. */
  go(): Promise<void>;
}

/** Opens a bench for pulled models. @param stored where the models are; default: a new directory */
export async function openLocalBench(
  settings: Readonly<Record<string, string>> = {},
  stored?: string,
): Promise<LocalBench> {
  const directory = await temporaryDirectory('darkroom-local-');
  const program = join(directory, 'sd-server');
  const source = join(import.meta.dirname, '..', '..', '..', 'test', 'fakes', 'sd-server-process.ts');
  await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${source} "$@"\n`, { mode: 0o755 });
  const store = openStore(stored ?? join(directory, 'local'));
  return {
    directory: store.directory,
    env: {
      PATH: process.env.PATH ?? '',
      DARKROOM_LOCAL_DIR: store.directory,
      DARKROOM_LOCAL_SD_SERVER: program,
      ...settings,
    },
    async pull(name, plan = { starts: ['ok'] }, changes = {}) {
      const path = join(directory, `${name}.plan`);
      await writeFile(path, JSON.stringify(plan));
      const bytes = Buffer.from(`weights of ${name}`);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const part = join(directory, 'part');
      await writeFile(part, bytes);
      await store.keepBlob(part, sha256);
      await store.writeRecord({ ...recordOf(name, { sha256, bytes: bytes.length, plan: path }), ...changes });
      const log = `${path}.log`;
      return {
        plan: path,
        happened: async () =>
          existsSync(log)
            ? (await readFile(log, 'utf8'))
                .trim()
                .split('\n')
                .map((line) => JSON.parse(line))
            : [],
        once: () => writeFile(`${path}.once`, ''),
        go: () => writeFile(`${path}.go`, ''),
      };
    },
  };
}

function recordOf(name: string, file: { sha256: string; bytes: number; plan: string }): ModelRecord {
  return {
    name,
    title: `Model ${name}`,
    type: 'image',
    engine: 'stable-diffusion.cpp',
    build: null,
    licence: 'MIT',
    parameters: { width: 256, steps: 4, cfg_scale: 1 },
    arguments: ['--plan', file.plan],
    edits: true,
    memory_bytes: null,
    pulled_at: new Date().toISOString(),
    files: [
      { role: 'model', id: `hub:${name}`, name: `${name}.gguf`, ...file, revision: null, digest_from: 'manifest' },
    ],
  };
}
