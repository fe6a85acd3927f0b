import { Type } from 'typebox';

/** How long the content of a task, its row and the audit log stay. */
export interface Retention {
  readonly retentionMs: number;
  /** How long after its end a task keeps its row; null = for ever. */
  readonly taskMs: number | null;
  /** How long an entry of the audit log stays. */
  readonly auditMs: number;
}

const DAY = 86_400_000;
/** Limits of a day or a month, late results and reports of the last weeks read rows. */
const DAYS_AFTER_RETENTION = 90;

export const RETENTION_VARIABLES = {
  DARKROOM_RETENTION_DAYS: Type.Number({
    minimum: 0.001,
    maximum: 36_500,
    expected: 'a number from 0.001 to 36500',
    description: 'Days until prompts, inputs and outputs are erased.',
    default: 30,
  }),
  DARKROOM_TASK_DAYS: Type.Optional(
    Type.Number({
      minimum: DAYS_AFTER_RETENTION,
      maximum: 100_000,
      expected: `a number from ${DAYS_AFTER_RETENTION} to 100000`,
      description: `Days after its end until the row of a task is removed, at least DARKROOM_RETENTION_DAYS + ${DAYS_AFTER_RETENTION}. Unset: never.`,
    }),
  ),
  DARKROOM_AUDIT_DAYS: Type.Number({
    minimum: 1,
    maximum: 36_500,
    expected: 'a number from 1 to 36500',
    description: 'Days until an entry of the audit log is removed.',
    default: 400,
  }),
};

interface Values {
  readonly DARKROOM_RETENTION_DAYS: number;
  readonly DARKROOM_TASK_DAYS?: number | undefined;
  readonly DARKROOM_AUDIT_DAYS: number;
}

export function retentionOf(values: Values): Retention {
  const { DARKROOM_RETENTION_DAYS: content, DARKROOM_TASK_DAYS: rows, DARKROOM_AUDIT_DAYS: audit } = values;
  return { retentionMs: content * DAY, taskMs: rows === undefined ? null : rows * DAY, auditMs: audit * DAY };
}

export function faultsOfRetention(values: Pick<Values, 'DARKROOM_RETENTION_DAYS' | 'DARKROOM_TASK_DAYS'>) {
  const { DARKROOM_RETENTION_DAYS: content, DARKROOM_TASK_DAYS: rows } = values;
  const least = content + DAYS_AFTER_RETENTION;
  if (rows === undefined || rows >= least) return [];
  const message = `expected at least DARKROOM_RETENTION_DAYS + ${DAYS_AFTER_RETENTION} (${least}), found ${rows}`;
  return [{ variable: 'DARKROOM_TASK_DAYS', message }];
}
