#!/usr/bin/env node
// JavaScript that any Node reads, so that one that is too old says so instead of failing at the first new word.
const OLDEST = 24;
const { node } = process.versions;

if (Number.parseInt(node, 10) < OLDEST) {
  process.stderr.write(`darkroom needs Node ${OLDEST} or later; this is Node ${node}. Install a later Node.\n`);
  process.exitCode = 1;
} else {
  await import('../lib/commands/main.js');
}
