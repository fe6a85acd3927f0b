import type { JsonValue } from '@darkroom-service/contract';
import { objectOf } from '../upstream/json-object.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import { statusWord } from '../upstream/status-word.ts';
import type { UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { tokensOfInteraction } from './counted-tokens.ts';
import { deliverFilm } from './deliver-film.ts';

/**
 * Reads the state of an interaction. An interaction that completed without a video was refused. @param headers for
 * results at Google's own host
 */
export function standingOfInteraction(
  api: Upstream,
  body: JsonValue | undefined,
  headers: Readonly<Record<string, string>>,
): UpstreamState {
  const { status, steps, errors } = objectOf(body);
  const tokens = tokensOfInteraction(body);
  switch (statusWord(status)) {
    case 'queued':
    case 'in_progress':
      return { state: 'pending', word: String(status) };
    case 'cancelled':
      return { state: 'canceled' };
    case 'failed':
    case 'incomplete':
    case 'budget_exceeded':
    // The interaction would wait forever for input from us.
    case 'requires_action':
    case 'requires_continuation': {
      const { code, message } = objectOf(Array.isArray(errors) ? errors[0] : undefined);
      const reason = typeof message === 'string' && message !== '' ? message : 'the film was not made';
      const errorClass = statusWord(status) === 'budget_exceeded' ? 'billing' : undefined;
      const why = typeof code === 'string' && code !== '' ? `${code}: ${reason}` : reason;
      return { state: 'failed', class: errorClass, message: `${why} (${status})`, ...tokens };
    }
    case 'completed': {
      const film = (Array.isArray(steps) ? steps : [])
        .map((step: JsonValue) => objectOf(step))
        .filter(({ type }) => type === 'model_output')
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .map((block: JsonValue) => objectOf(block))
        .find(({ type }) => type === 'video');
      if (typeof film?.data === 'string') {
        const delivery = deliverBytes([Buffer.from(film.data, 'base64')]);
        return { state: 'succeeded', delivery: { ...delivery, ...tokens } };
      }
      if (typeof film?.uri === 'string') {
        const delivery = deliverFilm(api, film.uri, headers);
        return { state: 'succeeded', delivery: { ...delivery, ...tokens } };
      }
      const message = 'it was completed without a film: it was filtered';
      return { state: 'failed', class: 'content_policy', message, ...tokens };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}
