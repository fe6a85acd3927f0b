import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportedComments, isDependent, pointingComments } from './structure/doc-comments.ts';
import { isGenerated, isProgram, readSources } from './structure/sources.ts';

const { texts } = readSources(join(import.meta.dirname, '..'));
const MAX_COMMENT_COLUMNS = 120;

test(`no comment that we wrote is wider than ${MAX_COMMENT_COLUMNS} columns`, () => {
  const wide = [...texts]
    .filter(([path]) => !isGenerated(path))
    .flatMap(([path, text]) => text.split('\n').map((line, index) => ({ line, where: `${path}:${index + 1}` })))
    .filter(({ line }) => /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > MAX_COMMENT_COLUMNS);
  assert.deepEqual(
    wide.map(({ where }) => where),
    [],
  );
});

test('the comment of an exported name begins with what it is or does, for a tooltip shows no neighbours', () => {
  const all = exportedComments(texts).filter(({ path }) => !isGenerated(path) && !path.startsWith('console/'));
  assert.ok(all.length > 1_000, `${all.length} comments`);
  assert.deepEqual(all.filter(isDependent), []);
});

test('a doc comment describes its declaration: it begins with no question word and no pronoun', () => {
  const programs = new Map([...texts].filter(([path]) => isProgram(path) && !isGenerated(path)));
  assert.deepEqual(pointingComments(programs), []);
});
