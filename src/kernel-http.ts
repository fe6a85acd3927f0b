/*
 * What additions use of the HTTP interface. Only files that are loaded with their routes import values from here,
 * for neither a worker nor a command loads HTTP.
 */

/** The server, the parts of the service that routes get, and an addition's parts of the interface. */
export type { App, Callers, GuidePage, HttpOptions, RouteTools, TaskListAddition } from './http/http-options.ts';
export type { KnownRoutes } from './http/known-routes.ts';
export type { TaskListQuery } from './views/list-tasks.ts';

/** Documentation of operations: their texts, their parameters and the schemas of their answers. */
export { ANY, type Operation, ORDERING } from './http/docs/operation.ts';

/** Fields of queries: lists of words, times, pages, and whose orders reports cover. */
export { Scope, scopeOf } from './http/report-query.ts';

/** Data URIs in bodies, and the headers that change a request. */
export { parseDataUri } from './base/data-uri.ts';
export { readIdempotencyKey, readSimulateHeader } from './http/connection/request-headers.ts';

/** Answers that a repeated request gets again. */
export type { Binding } from './database/deeds.ts';

/** Failed requests: their bodies, and the answers of interfaces that show errors in their own way. */
export { answerError } from './http/answer-error.ts';
