import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isProgram, readSources } from './structure/sources.ts';

const { texts } = readSources(join(import.meta.dirname, '..'));

/** Finds methods of classes that are handed on without their object, by the names that objects of the class have. */
function findUnbound(sources: readonly string[]): string[] {
  const methods = new Map<string, Set<string>>();
  for (const text of sources)
    for (const [, name, body] of text.matchAll(/^export class (\w+)[^\n]*\{\n(.*?)^\}/gms))
      methods.set(
        name!,
        new Set([...body!.matchAll(/^ {2}(?:async )?(\w+)(?:<[^\n]*>)?\(/gm)].map(([, each]) => each!)),
      );
  for (const text of sources)
    for (const [, name, base] of text.matchAll(/(?:class|type) (\w+)(?: extends | = Pick<)(\w+)/g))
      methods.set(name!, (methods.get(name!) ?? new Set()).union(methods.get(base!) ?? new Set()));
  const objects = new Map<string, Set<string>>();
  for (const text of sources)
    for (const [, name, type] of text.matchAll(
      /#?(\w+)\??(?:: (?:Pick<)?| = (?:await )?(?:new )?|: new )(\w+)(?:[,;|)<( ]|\.open\()/g,
    ))
      if (methods.has(type!)) objects.set(name!, (objects.get(name!) ?? new Set()).union(methods.get(type!)!));
  return sources.flatMap((text) => [
    ...[...text.matchAll(/(\w+)\.(\w+)\b(?!\??[.(<:]| =)/g)]
      .filter(([, object, method]) => objects.get(object!)?.has(method!))
      .map(([hit]) => hit),
    ...[...text.matchAll(/\{([^{}]*)\}(?:: (?:Pick<)?(\w+)| = (?:\w+\.)*#?(\w+);)/g)].flatMap(
      ([, taken, type, object]) =>
        (taken!.match(/\w+/g) ?? []).filter((each) =>
          (methods.get(type ?? '') ?? objects.get(object ?? ''))?.has(each),
        ),
    ),
  ]);
}

test('a method that is handed on without its object is found', () => {
  const valves = 'export class Valves {\n  stop() {}\n}\n';
  const open = 'const valves = new Valves();\n';
  assert.deepEqual(findUnbound([valves, open, 'closers.defer(valves.stop);']), ['valves.stop']);
  assert.deepEqual(findUnbound([valves, open, 'const { stop } = valves;']), ['stop']);
  assert.deepEqual(findUnbound([valves, 'function close({ stop }: Valves) {}']), ['stop']);
  assert.deepEqual(findUnbound([valves, open, 'closers.defer(() => valves.stop());']), []);
});

test('no method is handed on without its object, which the compiler would not see', () => {
  const programs = [...texts].filter(([path]) => isProgram(path)).map(([, text]) => text);
  assert.deepEqual(findUnbound(programs), []);
});
