import { parseArgs } from 'node:util';
import { printTable } from '../../bench/table.ts';
import { ATTACKS } from './attacks.ts';
import { brokenLimits, LIMITS } from './judge.ts';
import { type AttackResult, runSiege } from './run-siege.ts';

/**
 * The siege: `npm run siege [-- --postgres] [--seconds 8] [--only 'part of a name']`. A customer asks 40 times a second
 * and has three live orders at an upstream that takes 12 s; meanwhile every attack is made on the service. Exits with 1
 * where an attack did more than it may.
 */
const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
if (!Number.isInteger(seconds) || seconds < 1 || seconds > 600) {
  console.error(`--seconds takes a whole number from 1 to 600, found '${values.seconds}'.`);
  process.exit(2);
}
const attacks = ATTACKS.filter(({ name }) => name.includes(values.only));
if (attacks.length === 0) {
  console.error(
    `No attack has '${values.only}' in its name. There are: ${ATTACKS.map(({ name }) => name).join('; ')}.`,
  );
  process.exit(2);
}

const setting = values.postgres ? 'postgres' : 'embedded';
const results = await runSiege({
  setting,
  attacks,
  attackMs: seconds * 1000,
  calmMs: 3_000,
  upstreamMs: 12_000,
  recoversWithinMs: 15_000,
  onResult(result) {
    const broken = brokenLimits(result);
    console.log(`${result.attack}: ${broken.join('; ') || 'held'} (${result.deed})`);
  },
});
printTable(
  setting === 'embedded' ? 'The embedded default' : 'PostgreSQL, one API process and one worker',
  [
    'attack',
    'by',
    'p50 before',
    'p50',
    'p99 before',
    'p99',
    'pause',
    'MB before',
    'peak',
    'after',
    'child',
    'CPU ms/MB',
    'orders',
  ],
  results.map(row),
);
console.log(`
Times in ms. Limits: p99 ${LIMITS.p99Ms} ms or ${LIMITS.p99Times} × before, or for event streams 25 × before; pause ${LIMITS.pauseMs} ms, ${LIMITS.serviceMb} MB, ${LIMITS.childMb} MB in a child process, ${LIMITS.grownMb} MB more afterwards, ${LIMITS.cpuMsPerMb} ms of processor time for a megabyte of nothing but parts, live orders untouched.`);
const failed = results.filter((result) => brokenLimits(result).length > 0);
const isWhole = results.length === attacks.length;
console.log(failed.length === 0 && isWhole ? '\nThe service held.' : `\n${failed.length} attacks did too much.`);
process.exit(failed.length === 0 && isWhole ? 0 : 1);

function row(result: AttackResult): string[] {
  const { attack, who, before, during, pauseMs, memoryBefore, memoryPeak, memoryAfter, orderFaults } = result;
  return [
    attack,
    who,
    ...[before.p50, during.p50, before.p99, during.p99, pauseMs].map((ms) => ms.toFixed(ms < 10 ? 1 : 0)),
    ...[memoryBefore.service, memoryPeak.service, memoryAfter.service, memoryPeak.child].map(String),
    result.cpuMsPerMb.toFixed(0),
    orderFaults.join(', ') || 'untouched',
  ];
}
