import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSources } from './structure/sources.ts';

/** Deeds that only a few files may do, since a second way to do them would miss what the first one cares for. */

const { texts, programs } = readSources(join(import.meta.dirname, '..'));
const doing = (deed: RegExp) => programs.filter((path) => deed.test(texts.get(path) ?? '')).sort();

test('no process is recognized by its number, which others may have too in containers: its lock tells whether it lives', () => {
  assert.deepEqual(
    doing(/\bprocess\.p?pid\b|\bprocess\.kill\([^)]/),
    [
      // Ends a server with its process group, which this process has started.
      'src/additions/local/servers/kill-group.ts',
      // These end themselves.
      'packages/media/src/process/guard-thread.ts',
      'packages/media/src/process/guard.ts',
      'packages/media/src/process/media-program.ts',
      'packages/store/src/heartbeat-thread.ts',
      // For people to read, beside a part that is unique.
      'src/base/process.ts',
      'src/service/open-process.ts',
    ].sort(),
  );
});
