import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildService, Premises } from '../crash/child-service.ts';
import { readSubmissions } from '../crash/paid-engine.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';

/** The installation under a fault. */
export interface Night {
  readonly premises: Premises;
  readonly service: ChildService;
  /** Seconds for which a fault lasts. */
  readonly seconds: number;
  /** Starts the service again, and lets customer and witness use it. */
  restart(): Promise<void>;
}

/** A fault, from its beginning until it is mended. */
interface Fault {
  readonly name: string;
  /** Pattern of the subjects that an operator must be told about; null = nothing is broken. */
  readonly subject: RegExp | null;
  /** @throws AssertionError if what should have worked did not */
  run(night: Night): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** The faults of an installation on one disk, in the order in which they happen. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'service killed',
    subject: null,
    async run({ service, restart }) {
      service.process.kill('SIGKILL');
      await service.ended;
      await restart();
    },
  },
  {
    name: 'database locked by another program',
    subject: /database/,
    async run({ premises, seconds }) {
      const writer = new DatabaseSync(join(premises.directory, 'data', 'darkroom.db'));
      writer.exec('pragma busy_timeout = 30000; begin immediate');
      await sleep(seconds * 1000);
      writer.exec('rollback');
      writer.close();
    },
  },
  {
    name: 'disk full',
    subject: /database writes|storage|temporary files|spool|disk/,
    async run({ premises, seconds }) {
      const path = join(premises.directory, 'ballast');
      const { bavail, bsize } = await statfs(premises.directory);
      await writeFile(path, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      });
      await sleep(seconds * 1000);
      await rm(path);
    },
  },
  {
    name: 'data directory read-only',
    subject: /storage|temporary files|spool|data directory/,
    async run({ premises, seconds }) {
      const data = join(premises.directory, 'data');
      execFileSync('mount', ['--bind', data, data]);
      execFileSync('mount', ['-o', 'remount,bind,ro', data]);
      await sleep(seconds * 1000);
      execFileSync('umount', ['-l', data]);
    },
  },
  {
    name: 'clock an hour ahead, then back',
    subject: /clock/,
    async run({ service, seconds }) {
      service.advance(HOUR_MS);
      await sleep(seconds * 1000);
      service.advance(-HOUR_MS);
    },
  },
  {
    name: 'backup under load, restored',
    subject: null,
    async run({ premises, seconds }) {
      const [backup, copy] = ['backup', 'copy'].map((name) => join(premises.directory, name)) as [string, string];
      const run = async (words: string[], data: string) => {
        const { code, stderr } = await runDarkroom(words, { DARKROOM_DATA_DIR: data }, premises.directory);
        assert.equal(code, 0, stderr);
      };
      await run(['backup', backup], join(premises.directory, 'data'));
      await run(['restore', backup], copy);
      const known = new Set(readSubmissions(premises.books).map(({ taskId }) => taskId));
      const held = await premises.start({ variables: { DARKROOM_DATA_DIR: copy } });
      await sleep(seconds * 1000);
      const { body } = await held.call(premises.keys.admin, 'GET', '/readyz');
      assert.equal(body.service?.held, true, 'a restored copy is held');
      held.process.kill('SIGKILL');
      await held.ended;
      const twice = readSubmissions(premises.books).map(({ taskId }) => taskId);
      assert.equal(new Set(twice).size, twice.length, 'the copy sends nothing');
      assert.ok(known.size > 0);
    },
  },
];
