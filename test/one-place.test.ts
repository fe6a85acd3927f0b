import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSources } from './structure/sources.ts';

/** Deeds that only a few files may do, since a second way to do them would miss what the first one cares for. */

const { texts, programs, consoleFiles } = readSources(join(import.meta.dirname, '..'));
const doing = (deed: RegExp) => programs.filter((path) => deed.test(texts.get(path) ?? '')).sort();

test('no process is recognized by its number, which others may have too in containers: its lock tells whether it lives', () => {
  assert.deepEqual(
    doing(/\bprocess\.p?pid\b|\bprocess\.kill\([^)]/),
    [
      // Ends a server with its process group, which this process has started.
      'additions/local/src/servers/kill-group.ts',
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

test('children are started in one place, which sees to it that they end before the service when memory runs out', () => {
  assert.deepEqual(doing(/^import \{.*'node:child_process'/m), [
    // Starts the server of a keeper, which is a child itself.
    'additions/local/src/servers/keeper.ts',
    // Tries for a moment whether a network can be closed.
    'additions/local/src/servers/network.ts',
    // Opens a browser for a person at the command line.
    'additions/people/src/cli/login.ts',
    'packages/media/src/process/start-child.ts',
  ]);
});

/** They load parts at the start, in a command, or where a failure is their own affair. */
const LOADS_EARLY = [
  'additions/fleet/src/notices/nats-notices.ts',
  'additions/traces/src/export-metrics.ts',
  'additions/traces/src/open-telemetry.ts',
  'packages/engines/src/own-engines.ts',
  'packages/files/src/open-storage.ts',
  // Tells whether the optional codecs are there.
  'packages/media/src/decoding/codecs.ts',
  'packages/media/src/main.ts',
  'packages/store/src/heartbeat-store.ts',
  'packages/store/src/main.ts',
  'packages/store/src/open-store.ts',
  'src/main.ts',
  'src/outside-additions.ts',
  'src/service/doctor/diagnose-sketch.ts',
  'src/service/doctor/try-parts.ts',
  'src/service/service.ts',
];
const IN_COMMANDS = /\/cli\/|commands?\/|-commands?\.ts$/;
/** The door of an addition, which is opened at the start. */
const DOOR = /^(?:src\/)?additions\/([\w-]+)(?:\/src)?\/\1\.ts$/;

test('a running service loads parts in one way, by which a missing file is a fault of the machine', () => {
  const loads = programs.filter((path) => {
    const code = (texts.get(path) ?? '').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    const others = code.replaceAll(/loadPart\(\s*\(\) =>\s*(?:Promise\.all\(\[[^\]]*\]\)|import\([^)]*\))/g, '');
    // A type is no load.
    return /\bimport\((?!'[^']+'\)\.[A-Z])/.test(others);
  });
  const unexpected = loads.filter((path) => !IN_COMMANDS.test(path) && !DOOR.test(path));
  assert.deepEqual(unexpected.sort(), LOADS_EARLY);
});

test('the console asks for nothing by an empty name in place of one that it does not know', () => {
  const empty =
    /\b(?:path|query): \{[^{}]*\?\? ''|\b(?:call|fetch|perform|readReceipt|save|useApi|useTask)\w*\([^;{}]*\?\? ''|\?\? \{ \w+_id: ''/;
  assert.deepEqual(
    consoleFiles.filter((path) => empty.test(texts.get(path) ?? '')),
    [],
  );
});

test('the console writes dates, money and durations in one file, in the locale of the reader', () => {
  const writing = consoleFiles.filter((path) => /\bIntl\.|\.toLocale\w*\(|\.toFixed\(/.test(texts.get(path) ?? ''));
  assert.deepEqual(writing.sort(), [
    'console/src/format.ts',
    // Tells whether a browser's locale has a valid name.
    'console/src/texts/locale.ts',
  ]);
});
