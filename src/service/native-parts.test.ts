import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryDirectory } from '../../test/helpers/temporary-directory.ts';

const MAIN = join(import.meta.dirname, '..', 'main.ts');

test('an installation that cannot read pictures does not start, and says in one sentence what is missing and what to do', async () => {
  const directory = await temporaryDirectory('darkroom-native-');
  const hook = join(directory, 'hook.mjs');
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(specifier, context, next) {
       if (specifier === 'sharp') throw new Error('Could not load the sharp module\\nPossible solutions: a page of them');
       return next(specifier, context);
     } });`,
  );
  const child = spawn(process.execPath, ['--import', pathToFileURL(hook).href, MAIN, 'serve'], {
    cwd: directory,
    env: { PATH: process.env.PATH, DARKROOM_DATA_DIR: join(directory, 'data'), DARKROOM_PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.notEqual(code, 0);
  assert.match(said, /This installation is incomplete: [^.]*Could not load the sharp module\. Delete node_modules/);
  assert.doesNotMatch(said, /Possible solutions/);
});
