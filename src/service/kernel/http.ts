import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OrderingKey } from '../../accounts/api-key.ts';
import type { Act } from '../../accounts/audit.ts';
import type { BudgetName } from '../../accounts/budgets.ts';
import type { RateKind } from '../../accounts/rate-limits.ts';
import type { Owner } from '../../accounts/scope.ts';
import type { Binding } from '../../database/deeds.ts';
import { actOf, callerOf, type Guard, limitRate, requireOrderingKey } from '../../http/authenticate.ts';
import { publishBudgets } from '../../http/budget-headers.ts';
import type { HttpOptions } from '../../http/http-options.ts';
import { repeatable } from '../../http/repeatable.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { type Answers, openAnswers } from './answers.ts';
import { type Bodies, openBodies } from './bodies.ts';
import { type AddedOperation, openOperations } from './operations.ts';

/** Functions that carry out a request that changes something, and answer its repetition. */
interface Steps<T> {
  /** Carries out the request, and binds its key to the record that it creates or changes. */
  readonly make: (binding: Binding, by: Act) => Promise<T>;
  /** Returns the present state of that record. */
  readonly again: (subject: string) => Promise<T>;
  /** Value that a repetition must send again; default: the path and the body. */
  readonly fingerprint?: string;
}

/** Requests and answers. Only processes that serve HTTP have it. */
export interface Http<Linked = unknown> {
  /**
   * Returns the key of a request under `/v1`.
   * @example const key = kernel.http.caller(request);
   */
  caller(request: FastifyRequest): OrderingKey;
  /**
   * Returns the author of a change for the audit log: the key or the person that sent the request.
   * @example await kernel.accounts.record(trx, kernel.http.by(request), { act: 'brand.set', target: null });
   */
  by(request: FastifyRequest): Act;
  /**
   * Returns the parts whose links begin with the host of the request, if the operator has set no public URL.
   * @example const task = await kernel.http.linked(request).tasks.find(key, 'image', taskId);
   */
  linked(request: FastifyRequest): Linked;
  /**
   * Carries out a request once for its `Idempotency-Key`, and marks the answer of a repetition. Every POST that changes
   * something and orders nothing is answered through it.
   * @throws ServiceError `idempotency_key_reused`
   * @example
   * const steps = { make: async () => 'brand_1', again: async (known: string) => known };
   * const id = await kernel.http.once(request, reply, steps);
   */
  once<T>(request: FastifyRequest, reply: FastifyReply, steps: Steps<T>): Promise<T>;
  /**
   * Returns the hook that counts a request against the rate limit of its key, for routes that are no reads of `/v1`.
   * @example const onRequest = kernel.http.limit('creates');
   */
  limit(kind: RateKind): Guard;
  /**
   * Hook that admits keys that order and read, for routes outside of `/v1`.
   * @example const onRequest = [kernel.http.admit, kernel.http.limit('reads')];
   */
  readonly admit: Guard;
  /**
   * Adds the remaining budgets that a request uses to the headers of its answer.
   * @example kernel.http.budgets(reply, key, ['reports']);
   */
  budgets(reply: FastifyReply, owner: Owner, names: readonly BudgetName[]): void;
  /**
   * Answers that are no JSON, and callers that leave before they have theirs.
   * @example const onSend = { preHandler: kernel.http.answers.neverStore };
   */
  readonly answers: Answers;
  /**
   * Bodies of requests.
   * @example kernel.http.bodies.discard(request);
   */
  readonly bodies: Bodies;
  /**
   * Turns of requests of one key, or of another subject; left out = requests without a key. Null = it is its turn.
   * @example await kernel.http.turn(taskId);
   */
  turn(subject?: string): Promise<void> | null;
  /**
   * Keys by their secrets. `forget` makes the next request read its key again.
   * @example kernel.http.keys.forget();
   */
  readonly keys: Pick<HttpOptions['keyring'], 'authenticate' | 'forget' | 'issueGrant'>;
  /**
   * Makes operations under `/v1` of functions that return the `data` of their answers.
   * @param operations by method and path, such as `GET /v1/brands/{brand}`
   * @example
   * const texts = { id: 'countBrands', summary: 'Count brands', description: 'Of all accounts.' };
   * const operation = { ...texts, answer: Type.Integer(), run: async () => 1 };
   * const http = kernel.http.operations({ 'GET /v1/brands': { ...operation, roles: ['manager'] } });
   */
  operations(operations: Readonly<Record<string, AddedOperation>>): ReturnType<typeof openOperations>;
}

/**
 * Opens the requests and answers for additions.
 * @param options returns the parts of the interface, once it is built
 * @param link returns the parts with the services of a request
 */
export function openHttp<Linked>(options: () => HttpOptions, link: (services: TaskServices) => Linked): Http<Linked> {
  return {
    caller: callerOf,
    by: (request) => actOf(request, options()),
    linked: (request) => link(options().servicesFor(request)),
    once: (request, reply, steps) =>
      repeatable(options(), request, reply, {
        ...steps,
        make: (binding) => steps.make(binding, { ...actOf(request, options()), binding }),
      }),
    limit: (kind) => (request, reply) => limitRate(options(), kind)(request, reply),
    admit: (request, reply) => requireOrderingKey(options())(request, reply),
    budgets: (reply, owner, names) => publishBudgets(reply, options().services.budgets, owner, names),
    answers: openAnswers(() => options().services),
    bodies: openBodies(() => options().bodyPace),
    turn: (subject) => options().takeKeyTurn(subject),
    get keys() {
      return options().keyring;
    },
    operations: openOperations,
  };
}
