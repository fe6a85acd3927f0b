#!/usr/bin/env node
// JavaScript that any Node reads, so that one that is too old says so instead of failing at the first new word.
import { existsSync } from 'node:fs';

const OLDEST = 24;
const { node } = process.versions;

if (Number.parseInt(node, 10) < OLDEST) {
  process.stderr.write(
    `Darkroom needs Node ${OLDEST} or later; this is Node ${node}. Install a later Node, or see docs/operating.md for one that npm installs.\n`,
  );
  process.exitCode = 1;
} else {
  const source = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(source) ? source : new URL('../lib/darkroom.js', import.meta.url));
}
