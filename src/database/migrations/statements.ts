import { creationOf as creationAmong, statementsOf } from '@darkroom-service/store';
import { INITIAL } from './initial.ts';

const CREATES = statementsOf(INITIAL);

/** The statements that create a table with its indexes. */
export function creationOf(table: string): readonly string[] {
  return creationAmong(table, CREATES);
}
