import type { JsonValue } from '@darkroom-service/contract';
import type { Delivery } from '@darkroom-service/engines';

/** The upstream's job id of an order. */
export interface UpstreamJob {
  readonly engine: string;
  readonly name: string;
}

/** An engine's answer to a paid order. It cannot be requested again unless it is stored. */
export type Answer =
  | { readonly kind: 'operation'; readonly operation: JsonValue; readonly job: UpstreamJob | null }
  | { readonly kind: 'delivery'; readonly delivery: Delivery };

/** Identifies an answer: the task, and the fence of the engine call or of the latest takeover. */
export interface AnswerKey {
  readonly taskId: string;
  readonly fence: number;
}

/** Returns the folder name of a spooled answer. */
export function folderOf({ taskId, fence }: AnswerKey): string {
  return `${taskId}.${fence}`;
}

/** Parses a folder name; null if it is not that of an answer. */
export function answerKeyOf(folder: string): AnswerKey | null {
  const parts = /^((?:img|vid)_[^.]+)\.(\d{1,15})$/.exec(folder);
  return parts === null ? null : { taskId: parts[1] as string, fence: Number(parts[2]) };
}

/** Returns the size of an answer's media in memory, in bytes. */
export function bytesInMemory(answer: Answer): number {
  if (answer.kind === 'operation') return 0;
  return answer.delivery.outputs.reduce((sum, { source }) => sum + ('data' in source ? source.data.byteLength : 0), 0);
}
