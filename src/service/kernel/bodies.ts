import type { JsonObject, ServiceError } from '@darkroom-service/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Share } from '../../accounts/budgets.ts';
import { withWholeTexts } from '../../base/long-texts.ts';
import type { BodyPace } from '../../http/bodies/body-pace.ts';
import { emptyBody } from '../../http/bodies/check-shape.ts';
import { parseJsonPart, refuseJsonBodies } from '../../http/bodies/json-body.ts';
import { discardBody, discardPause, JSON_LIMITS, keepShare, releaseBody } from '../../http/bodies/read-body.ts';

/** Bodies of requests: as JSON that is parsed, or as streams that a route reads by itself. */
export interface Bodies {
  /**
   * Limits of a JSON body, in bytes and numbers of values.
   * @example const most = kernel.http.bodies.limits.bytesOutsideData;
   */
  readonly limits: typeof JSON_LIMITS;
  /**
   * Makes the routes of a scope refuse JSON before it is read.
   * @example kernel.http.bodies.refuseJson(scope);
   */
  refuseJson(scope: FastifyInstance): void;
  /**
   * Parses an object from one of the JSON texts that a long body consists of, within the limits of a whole body;
   * undefined = it is empty.
   * @throws ServiceError `invalid_json`, `invalid_request`, `body_too_large`
   * @example const line = kernel.http.bodies.parse(Buffer.from('{"name":"acme"}'));
   */
  parse(text: Buffer): JsonObject | undefined;
  /**
   * Returns a parsed body whose long texts are strings, which are stand-ins before.
   * @example const { prompt } = kernel.http.bodies.whole({ prompt: 'a fox' });
   */
  whole<Value>(value: Value): Value;
  /**
   * Returns the error of a request without a body.
   * @example if (request.body === null) throw kernel.http.bodies.empty();
   */
  empty(): ServiceError;
  /**
   * Gives a share of a budget back when the request ends, or its body is released.
   * @example kernel.http.bodies.keepShare(request, kernel.accounts.budgets.take(key, 'body_bytes', 1_000));
   */
  keepShare(request: FastifyRequest, share: Share): void;
  /**
   * Forgets a body that has been worked through, before a long wait.
   * @example kernel.http.bodies.release(request);
   */
  release(request: FastifyRequest): void;
  /**
   * Reads the rest of a body that nobody needs, at the pace of its key.
   * @example kernel.http.bodies.discard(request);
   */
  discard(request: FastifyRequest): void;
  /**
   * Returns the pause after a chunk of a body that nobody needs, in milliseconds.
   * @example const pauseMs = kernel.http.bodies.pause(key.id, 65_536);
   */
  pause(owner: string, bytes: number): number;
}

/** Opens the bodies of requests for additions. @param pace returns the limit of the speed at which bodies are read */
export function openBodies(pace: () => BodyPace): Bodies {
  return {
    limits: JSON_LIMITS,
    refuseJson: refuseJsonBodies,
    parse: parseJsonPart,
    whole: withWholeTexts,
    empty: emptyBody,
    keepShare,
    release: releaseBody,
    discard: (request) => discardBody(request, pace()),
    pause: (owner, bytes) => discardPause(pace(), owner, bytes),
  };
}
