import type { paths } from '../console/src/api/types.ts';
import type { ErrorBodyView } from '../src/wire/error.ts';
import type { Certain, WireValue } from './service.ts';

/** The answers of routes as the OpenAPI document describes them, found by method and path. */

/** `/v1/images/{task_id}` as the type of `/v1/images/${id}`. */
type Pattern<Route extends string> = Route extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Pattern<Tail>}`
  : Route;

type WithoutQuery<Path extends string> = Path extends `${infer Route}?${string}` ? Route : Path;

/** The route of a path; never if the document has none, as for a path that is only known when the test runs. */
type RouteOf<Path extends string> = {
  [Route in keyof paths]: WithoutQuery<Path> extends Pattern<Route>
    ? Pattern<Route> extends WithoutQuery<Path>
      ? Route
      : never
    : never;
}[keyof paths];

type JsonOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 202
        ? Responses[Status] extends { readonly content: { readonly 'application/json': infer Json } }
          ? Json
          : never
        : never;
    }[keyof Responses]
  : never;

type DataIn<Json> = Json extends { readonly data: infer Data } ? Data : never;

type DataOf<Method extends string, Path extends string> = DataIn<
  JsonOf<paths[RouteOf<Path>][Lowercase<Method> & keyof paths[RouteOf<Path>]]>
>;

/** The `data` of a successful answer; not typed where the document does not describe it. */
export type RouteData<Method extends string, Path extends string> = [DataOf<Method, Path>] extends [never]
  ? WireValue
  : Certain<DataOf<Method, Path>>;

/** The `error` of a failed answer. */
export type RouteError<Path extends string> = [RouteOf<Path>] extends [never]
  ? WireValue
  : Certain<ErrorBodyView['error']>;
