import type { Selectable } from 'kysely';
import type { Database, Session } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { AssignedGate } from '../queue/gates.ts';
import type { AssignedFollower } from '../tasks/follower.ts';
import type { Addition } from './addition.ts';
import { ConfigFault } from './config/config-fault.ts';
import { ADDITIONS_VARIABLE } from './config/config-variables.ts';

/** A bit of orders that an addition has for ever, also after it has gone. */
export type Assignment = Readonly<Selectable<Schema['assignments']>>;

type Kind = Assignment['kind'];

/** A follower or a gate of an addition. `bit` is the one that orders had before bits were assigned. */
interface Declared extends Pick<Assignment, 'kind' | 'addition'> {
  readonly bit?: number | undefined;
}

/** The first assigned exponents. The lower ones belong to this program: bits that it declares, and the core's gates. */
const FIRST: Readonly<Record<Kind, number>> = { follower: 16, gate: 8 };
/** The last exponent: bits of numbers have 32 places, of which the last is the sign. */
const LAST = 30;

/** The followers and gates of additions, with their bits. */
export interface Assigned {
  readonly followers: readonly AssignedFollower[];
  readonly gates: readonly AssignedGate[];
}

/**
 * Returns the followers and gates of additions with their bits. A new one gets a bit that no other has ever had, and
 * keeps it in this installation. Several processes may do this at the same time.
 * @throws ConfigFault if all bits are assigned, or a declared one belongs to another addition
 */
export async function assignBits(
  database: Pick<Database, 'read' | 'write'>,
  additions: readonly Addition[],
): Promise<Assigned> {
  const declared = declaredBy(additions);
  const stored = await readAssignments(database.read);
  const assigned =
    nextAssignment(stored, declared) === null
      ? stored
      : await database.write('assign_bits', async (trx) => {
          for (;;) {
            const rows = await readAssignments(trx);
            const next = nextAssignment(rows, declared);
            if (next === null) return rows;
            // Another process may have assigned this number: then the next round finds its row.
            const insert = trx.builder.insertInto('assignments').values(next);
            await trx.run(insert.onConflict((conflict) => conflict.doNothing()));
          }
        });
  const bitOf = (kind: Kind, addition: string) =>
    2 ** (assigned.find((one) => one.kind === kind && one.addition === addition)?.number ?? Number.NaN);
  return {
    followers: additions.flatMap(({ name, follower }) =>
      follower === undefined ? [] : { ...follower, bit: bitOf('follower', name) },
    ),
    gates: additions.flatMap(({ name, gate }) =>
      gate === undefined ? [] : { ...gate, addition: name, bit: bitOf('gate', name) },
    ),
  };
}

/** Reads the assignments of the installation, also those of additions that have gone. */
export async function readAssignments(session: Session): Promise<readonly Assignment[]> {
  return await session.all(session.builder.selectFrom('assignments').selectAll());
}

/** Lists what needs a bit, in the same order in all processes, so that no two of them wait for each other. */
function declaredBy(additions: readonly Addition[]): readonly Declared[] {
  const followers = additions.flatMap(({ name: addition, follower }) =>
    follower === undefined ? [] : { kind: 'follower' as const, addition, bit: follower.bit },
  );
  const gates = additions.flatMap(({ name: addition, gate }) =>
    gate === undefined ? [] : { kind: 'gate' as const, addition },
  );
  return [...followers.toSorted((one, other) => (one.bit ?? Infinity) - (other.bit ?? Infinity)), ...gates];
}

/**
 * Returns the next assignment that is to be stored; null = all are.
 * @throws ConfigFault if there is no number for it
 */
export function nextAssignment(rows: readonly Assignment[], declared: readonly Declared[]): Assignment | null {
  for (const { kind, addition, bit } of declared) {
    const taken = new Map(rows.flatMap((row) => (row.kind === kind ? [[row.number, row.addition]] : [])));
    const stored = rows.find((row) => row.kind === kind && row.addition === addition);
    if (stored === undefined) return { kind, addition, number: numberFor({ kind, addition, bit }, taken) };
    if (bit !== undefined && bit !== 2 ** stored.number)
      throw fault(`the addition '${addition}' declares the bit ${bit}, but orders have stored ${2 ** stored.number}`);
  }
  return null;
}

function numberFor({ kind, addition, bit }: Declared, taken: ReadonlyMap<number, string>): number {
  if (bit !== undefined) {
    const number = Math.log2(bit);
    const owner = taken.get(number);
    if (owner === undefined) return number;
    throw fault(`the addition '${addition}' declares the bit ${bit}, which belongs to '${owner}'. Leave "bit" out`);
  }
  for (let number = FIRST[kind]; number <= LAST; number++) if (!taken.has(number)) return number;
  const owners = [...taken.values()].map((owner) => `'${owner}'`).join(', ');
  throw fault(`the addition '${addition}' needs a ${kind}, but all are assigned: ${owners}`);
}

function fault(message: string): ConfigFault {
  return new ConfigFault([{ variable: ADDITIONS_VARIABLE, message }]);
}
