import type { JsonValue } from '../../base/canonical-json.ts';
import type { Delivery } from '../../engines/engine.ts';

/** The name by which an upstream knows an order. */
export interface UpstreamJob {
  readonly engine: string;
  readonly name: string;
}

/** What an engine answered to a paid order, and what cannot be asked for again unless it is stored. */
export type Answer =
  | { readonly kind: 'operation'; readonly operation: JsonValue; readonly job: UpstreamJob | null }
  | { readonly kind: 'delivery'; readonly delivery: Delivery };

/** Names an answer: the task, and the fence under which the engine was called or the answer was taken over last. */
export interface AnswerKey {
  readonly taskId: string;
  readonly fence: number;
}

/** The folder name of a spooled answer. */
export function folderOf({ taskId, fence }: AnswerKey): string {
  return `${taskId}.${fence}`;
}

/** Null where a name is no folder name of an answer. */
export function answerKeyOf(folder: string): AnswerKey | null {
  const parts = /^((?:img|vid)_[A-Za-z0-9_]+)\.(\d{1,15})$/.exec(folder);
  return parts === null ? null : { taskId: parts[1] as string, fence: Number(parts[2]) };
}

/** How many bytes of media an answer holds in memory. */
export function bytesInMemory(answer: Answer): number {
  if (answer.kind === 'operation') return 0;
  return answer.delivery.outputs.reduce((sum, { source }) => sum + ('data' in source ? source.data.byteLength : 0), 0);
}
