import { idPattern, type JsonObject } from '@darkroom-service/contract';
import { inputOf } from '@darkroom-service/darkroom/kernel';
import { failureOf, outputsOf, requestOf, type ViewRow } from '@darkroom-service/darkroom/kernel-views';
import type { OpenaiVideoView } from './video-wire.ts';

const SOURCE = new RegExp(`^task:(${idPattern('vid')})(?:#\\d+)?$`);
const STATUSES = {
  queued: 'queued',
  processing: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
} as const satisfies Record<ViewRow['status'], OpenaiVideoView['status']>;

/** Converts a video task to OpenAI's video object. */
export function viewVideo(row: ViewRow): OpenaiVideoView {
  const input = inputOf(row);
  const output = outputsOf(row)[0];
  const planned = requestOf(row).output;
  const seconds = output?.durationSeconds ?? (typeof input.duration === 'number' ? input.duration : null);
  const { width, height } = output?.width == null ? planned : output;
  return {
    id: row.id,
    object: 'video',
    model: row.model_id,
    status: STATUSES[row.status],
    progress: row.progress,
    created_at: toSeconds(row.created_at),
    completed_at: row.completed_at === null ? null : toSeconds(row.completed_at),
    expires_at: toSeconds(row.expires_at),
    error: errorOf(row),
    prompt: typeof input.prompt === 'string' ? input.prompt : null,
    remixed_from_video_id: sourceOf(input),
    // The model chooses the length where the order says -1.
    seconds: seconds === null || seconds < 0 ? '' : String(Math.round(seconds)),
    size: width == null || height == null ? '' : `${width}x${height}`,
  };
}

/** Returns the video that an order works from, if it is one of this service. */
function sourceOf(input: JsonObject): string | null {
  const [first] = Array.isArray(input.reference_video_urls) ? input.reference_video_urls : [];
  return typeof first === 'string' ? (SOURCE.exec(first)?.[1] ?? null) : null;
}

function errorOf(row: ViewRow): OpenaiVideoView['error'] {
  if (row.status === 'canceled') return { code: 'canceled', message: 'The video was canceled. Nothing was charged.' };
  const failure = failureOf(row);
  return failure === null ? null : { code: failure.code, message: failure.message };
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
