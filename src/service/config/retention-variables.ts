import { Type } from 'typebox';
import { decimal, type ValuesOf, type VariableFault } from './variable-types.ts';

const DAY = 86_400_000;
/** Days for which rows must stay: limits of a day or a month, late results and reports of the last weeks read rows. */
const DAYS_AFTER_RETENTION = 90;

/** Variables for the retention of a task's content, of its row and of the audit log. */
export const RETENTION_VARIABLES = {
  DARKROOM_RETENTION_DAYS: decimal(
    0.001,
    36_500,
    'Days until prompts, inputs and outputs of new orders are erased.',
    30,
  ),
  DARKROOM_TASK_DAYS: Type.Optional(
    decimal(
      DAYS_AFTER_RETENTION,
      100_000,
      `Days after its end until the row of a task is removed, at least DARKROOM_RETENTION_DAYS + ${DAYS_AFTER_RETENTION}. Unset: never.`,
    ),
  ),
  DARKROOM_AUDIT_DAYS: decimal(1, 36_500, 'Days until an entry of the audit log is removed.', 400),
};

type Values = ValuesOf<typeof RETENTION_VARIABLES>;

export function retentionOf(values: Values) {
  const { DARKROOM_RETENTION_DAYS: content, DARKROOM_TASK_DAYS: rows, DARKROOM_AUDIT_DAYS: audit } = values;
  return {
    retentionMs: content * DAY,
    /** Time after its end for which a task keeps its row; null = for ever. */
    taskMs: rows === undefined ? null : rows * DAY,
    auditMs: audit * DAY,
  };
}

export function faultsOfRetention(values: Values): VariableFault[] {
  const { DARKROOM_RETENTION_DAYS: content, DARKROOM_TASK_DAYS: rows } = values;
  const least = content + DAYS_AFTER_RETENTION;
  if (rows === undefined || rows >= least) return [];
  const message = `expected at least DARKROOM_RETENTION_DAYS + ${DAYS_AFTER_RETENTION} (${least}), found ${rows}`;
  return [{ variable: 'DARKROOM_TASK_DAYS', message }];
}
