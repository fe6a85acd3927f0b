import type { JsonValue } from '@darkroom-service/contract/json';
import { objectOf } from '../upstream/json-object.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import type { Standing } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { deliverFilm } from './deliver-film.ts';

/** Not verified against the live service: the wording of a content refusal in a failed interaction. */
const UNVERIFIED = { content: /usage guidelines|polic|safety|sensitive|prohibited|blocked/i };

/**
 * Reads the state of an interaction. One that completed without a video was refused. @param headers for results at
 * Google's own host
 */
export function standingOfInteraction(
  api: Upstream,
  body: JsonValue | undefined,
  headers: Readonly<Record<string, string>>,
): Standing {
  const { status, steps, errors } = objectOf(body);
  switch (status) {
    case 'queued':
    case 'in_progress':
      return { state: 'pending', word: status };
    case 'cancelled':
      return { state: 'canceled' };
    case 'failed':
    case 'incomplete':
    case 'budget_exceeded':
    // It would wait forever for input from us.
    case 'requires_action':
    case 'requires_continuation': {
      const { code, message } = objectOf(Array.isArray(errors) ? errors[0] : undefined);
      const reason = typeof message === 'string' && message !== '' ? message : 'the film was not made';
      const isOfContent = UNVERIFIED.content.test(`${code} ${reason}`);
      const failed = isOfContent ? 'content_policy' : 'upstream';
      return {
        state: 'failed',
        class: status === 'budget_exceeded' ? 'billing' : failed,
        message: `${reason} (${status})`,
      };
    }
    case 'completed': {
      const film = (Array.isArray(steps) ? steps : [])
        .map((step: JsonValue) => objectOf(step))
        .filter(({ type }) => type === 'model_output')
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .map((block: JsonValue) => objectOf(block))
        .find(({ type }) => type === 'video');
      if (typeof film?.data === 'string') {
        return { state: 'succeeded', delivery: deliverBytes([Buffer.from(film.data, 'base64')]) };
      }
      if (typeof film?.uri === 'string') return { state: 'succeeded', delivery: deliverFilm(api, film.uri, headers) };
      return { state: 'failed', class: 'content_policy', message: 'it was completed without a film: it was filtered' };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}
