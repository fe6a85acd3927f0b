import type { ErrorBodyView } from '@darkroom-service/contract';
import type { Operations } from '../../console/src/api/types.ts';
import type { Certain } from './certain.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** The answers of routes as the OpenAPI document describes them, found by method and path. */

type WithoutQuery<Path extends string> =
  WithoutHost<Path> extends `${infer Route}?${string}` ? Route : WithoutHost<Path>;

/** Another service's address: `${url}/v1/catalog`. */
type WithoutHost<Path extends string> = Path extends `/${string}`
  ? Path
  : Path extends `${string}/v1/${infer Rest}`
    ? `/v1/${Rest}`
    : Path;

/** Whether a path fits a route such as `/v1/images/{task_id}`, segment by segment. */
type Fits<Path extends string, Route extends string> = Route extends `${infer RouteHead}/${infer RouteTail}`
  ? Path extends `${infer PathHead}/${infer PathTail}`
    ? SegmentFits<PathHead, RouteHead> extends true
      ? Fits<PathTail, RouteTail>
      : false
    : false
  : Path extends `${string}/${string}`
    ? false
    : SegmentFits<Path, Route>;

type SegmentFits<Path extends string, Route extends string> = Route extends `{${string}}`
  ? true
  : Path extends Route
    ? true
    : false;

/** The operations of one method, by their routes. */
type Routes<Method extends string> = {
  [O in keyof Operations as O extends `${Method} ${infer Route}` ? Route : never]: Operations[O];
};

/** The route of a path; never if the document has none, as for a path that is only known when the test runs. */
type RouteOf<Method extends string, Path extends string> = Path extends unknown
  ? WithoutQuery<Path> extends keyof Routes<Method>
    ? WithoutQuery<Path>
    : {
        [Route in keyof Routes<Method>]: Fits<WithoutQuery<Path>, Route & string> extends true ? Route : never;
      }[keyof Routes<Method>]
  : never;

type JsonOf<Described> = Described extends { readonly answer: infer Json }
  ? Json
  : Described extends { readonly data: infer Data }
    ? unknown extends Data
      ? never
      : { readonly code: number; readonly message: string; readonly timestamp: string; readonly data: Data }
    : never;

type JsonAt<Method extends string, Path extends string> =
  RouteOf<Method, Path> extends infer Route extends keyof Routes<Method> ? JsonOf<Routes<Method>[Route]> : never;

type DataIn<Json> = Json extends { readonly data: infer Data } ? Data : never;

/** The `data` of a successful answer; unknown where the document does not describe it. */
export type RouteData<Method extends string, Path extends string> = [DataIn<JsonAt<Method, Path>>] extends [never]
  ? unknown
  : Certain<DataIn<JsonAt<Method, Path>>>;

/**
 * Answers that no document describes, by method and path; never for other paths. An addition with an interface of its
 * own declares a member of its name.
 */
export interface UndocumentedAnswers<Method extends string, Path extends string> {
  readonly core: Method extends 'GET'
    ? Path extends '/openapi.json'
      ? OpenApiDocument
      : Path extends '/metrics' | '/docs'
        ? string
        : never
    : never;
}

type Undocumented<Method extends string, Path extends string> = UndocumentedAnswers<
  Method,
  Path
>[keyof UndocumentedAnswers<Method, Path>];

/** The whole body of an answer. */
export type RouteBody<Method extends string, Path extends string> = string extends Path
  ? unknown
  : [Undocumented<Method, Path>] extends [never]
    ? [JsonAt<Method, Path>] extends [never]
      ? unknown
      : Certain<JsonAt<Method, Path>> & { readonly error: RouteError<Path> }
    : Undocumented<Method, Path>;

/** The `error` of a failed answer. */
export type RouteError<Path extends string> = string extends Path
  ? Fault
  : [UndocumentedError<Path>] extends [never]
    ? Fault
    : UndocumentedError<Path>['error'];

type UndocumentedError<Path extends string> = Extract<Undocumented<string, Path>, { readonly error: object }>;

type Fault = Omit<Certain<ErrorBodyView['error']>, 'details'> & {
  readonly details: readonly [Detail, Detail, ...Detail[]];
};

/** A fault of the request, or facts such as the price and the balance. */
interface Detail {
  readonly param: string;
  readonly code: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}
