import { PriceQuestion } from '@darkroom-service/contract/schemas';
import { tablesOf } from '@darkroom-service/store';
import { INITIAL } from '../database/migrations/initial.ts';
import type { Addition } from './addition.ts';
import { VARIABLES } from './config/config-variables.ts';

/** An addition of a module outside of this program. */
export interface Outside {
  readonly path: string;
  readonly addition: Addition;
}

const NAME = /^[a-z][a-z0-9-]*$/;
/** Bits that followers outside of this program declared in versions that did not assign any. */
const FIRST_BIT = 2 ** 16;
const LAST_BIT = 2 ** 30;
/** Points of an addition that at most one addition of a service may use. */
const SINGLE = [
  'deliverTo',
  'findBatch',
  'openTracer',
  'openNoticeTransport',
  'parentGate',
  'shareLimits',
] as const satisfies readonly (keyof Addition)[];

/** Tells whether a module's export can be an addition. */
export function isAddition(exported: unknown): exported is Addition {
  const { name } = (exported ?? {}) as Partial<Addition>;
  return typeof exported === 'object' && typeof name === 'string' && NAME.test(name);
}

/**
 * Returns all conflicts that keep additions of modules from running beside the others: names, tables, settings,
 * followers and points that another addition has. Their operations are known only when HTTP starts: see
 * `assertNewOperations`.
 */
export function faultsOfOutside(own: readonly Addition[], outside: readonly Outside[]): string[] {
  const claims: Claim[] = [
    ...[...tablesOf(INITIAL).keys()].map((table) => claim('table', table)),
    ...Object.keys(VARIABLES).map((variable) => claim('setting', variable)),
    ...Object.keys(PriceQuestion.properties).map((field) => claim('field', field)),
    ...own.flatMap((addition) => claimsOf(addition)),
  ];
  const faults: string[] = [];
  for (const { path, addition } of outside) {
    const found = faultsAlone(addition);
    for (const one of claimsOf(addition)) {
      const owner = claims.find(({ what, name }) => what === one.what && name === one.name)?.owner;
      if (owner !== undefined) found.push(`${owner} already has the ${one.what} '${one.name}'`);
      claims.push(one);
    }
    faults.push(...found.map((fault) => `${path}: ${fault}`));
  }
  return faults;
}

/** A claim that one addition makes and that no other may make. */
interface Claim {
  readonly what: 'name' | 'table' | 'setting' | 'field' | 'follower bit' | 'point';
  readonly name: string;
  readonly owner: string;
}

function claim(what: Claim['what'], name: string, owner = 'the service'): Claim {
  return { what, name, owner };
}

function claimsOf(addition: Addition): Claim[] {
  const { name, settings, tables = '', fields = {}, follower } = addition;
  const owner = `the addition '${name}'`;
  return [
    claim('name', name, owner),
    ...[...tablesOf(tables).keys()].map((table) => claim('table', table, owner)),
    ...Object.keys(settings?.variables ?? {}).map((variable) => claim('setting', variable, owner)),
    ...Object.keys(fields).map((field) => claim('field', field, owner)),
    ...(follower?.bit === undefined ? [] : [claim('follower bit', String(follower.bit), owner)]),
    ...SINGLE.filter((point) => addition[point] !== undefined).map((point) => claim('point', point, owner)),
  ];
}

function faultsAlone({ tables, follower }: Addition): string[] {
  const faults: string[] = [];
  if (tables !== undefined && tablesOf(tables).size === 0)
    faults.push('"tables" creates no table: each needs "create table name (… primary key (…))"');
  const { bit = FIRST_BIT } = follower ?? {};
  if (bit < FIRST_BIT || bit > LAST_BIT || !Number.isInteger(Math.log2(bit)))
    faults.push(`the bit of the follower must be a power of two from 2 ** 16 to 2 ** 30; found ${bit}`);
  return faults;
}
