import { cutText, type FailureCauseView, type FailureView, type ModeFilter } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { readFailures } from './failure-report.ts';

/** Number of latest failures of each type that are grouped. */
const MOST_FAILURES = 5_000;
const MOST_CAUSES = 100;
const MOST_MODELS = 5;
const CAUSE_LENGTH = 300;
/** Parts of messages that differ from order to order: addresses, quoted values, ids and numbers, but no HTTP status. */
const VARIABLE_PART = /https?:\/\/\S+|"[^"]*"|`[^`]*`|(?<![\w-])(?![45]\d\d(?![\w-]))[\w-]*\d[\w-]*(?:\.\d+)*/g;

/** Range and result of a search. */
interface FailureCauseReport {
  readonly items: FailureCauseView[];
  /** Time since which placed orders were searched. */
  readonly since: string;
  /** Whether failures or causes were omitted. */
  readonly truncated: boolean;
}

/** Groups the failures of the last day by engine, code and wording, the most frequent first. */
export async function reportFailureCauses(
  session: Session,
  query: { readonly now: number; readonly mode: ModeFilter },
): Promise<FailureCauseReport> {
  const { failures, since, isCut } = await readFailures(session, { ...query, limit: MOST_FAILURES });
  const groups = Map.groupBy(failures, (failure) =>
    JSON.stringify([failure.engine, failure.code, causeOf(failure.message)]),
  );
  const items = [...groups.values()].flatMap((group) => viewOf(group) ?? []).sort((a, b) => b.orders - a.orders);
  const truncated = isCut || failures.length > MOST_FAILURES || items.length > MOST_CAUSES;
  return { items: items.slice(0, MOST_CAUSES), since, truncated };
}

/** @param group at least one failure, the latest first */
function viewOf(group: readonly FailureView[]): FailureCauseView | null {
  const [example] = group;
  if (example === undefined) return null;
  const { engine, code, message } = example;
  const models = [...new Set(group.map(({ model_id: model }) => model))].slice(0, MOST_MODELS);
  return { engine, code, cause: causeOf(message), orders: group.length, models, example };
}

/** Returns the common text of one cause's messages, with … for the parts that differ. */
export function causeOf(message: string): string {
  return cutText(message.replace(VARIABLE_PART, '…'), CAUSE_LENGTH);
}
