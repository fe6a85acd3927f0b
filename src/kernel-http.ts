/*
 * What most additions use of the HTTP interface. Only files that are loaded with their routes import values from here,
 * for neither a worker nor a command loads HTTP.
 */

/** The server, the parts of the service that routes are given, and what an addition adds to the interface. */
export type { App, Callers, GuidePage, HttpOptions, RouteTools, TaskListAddition } from './http/http-options.ts';
export type { BodyPace } from './http/bodies/body-pace.ts';
export type { KnownRoutes } from './http/known-routes.ts';
export type { TaskAnswers } from './http/tasks/answer-task.ts';
export type { TaskListQuery } from './tasks/views/list-tasks.ts';
export type { TaskRows, TaskSource } from './tasks/views/task-range.ts';

/** The documentation of operations: their texts, their parameters and the schemas of their answers. */
export type { Operation } from './http/docs/operation.ts';
export { envelopeOf, success } from './http/envelope.ts';
export { ErrorAnswer } from './http/answers.ts';
export { adminDeed, adminSchema } from './http/admin-schema.ts';
export { Limit } from './http/query-fields.ts';

/** Callers: the keys of requests, and their limits and budgets. */
export { actOf, callerOf, limitRate, requireOrderingKey } from './http/authenticate.ts';
export { publishBudgets } from './http/budget-headers.ts';

/** Answers that a repeated request gets again, and answers that nobody keeps. */
export type { Binding } from './database/deeds.ts';
export { repeatable, repeatableAct } from './http/repeatable.ts';
export { neverStore } from './http/connection/security-headers.ts';
