import type { paths } from '../console/src/api/types.ts';
import type { ErrorBodyView } from '../src/wire/error.ts';
import type { OpenaiErrorView, OpenaiImagesView } from '../src/wire/openai.ts';
import type {
  OpenaiModels,
  OpenaiVideoDeletionView,
  OpenaiVideosView,
  OpenaiVideoView,
} from '../src/wire/openai-videos.ts';
import type { Wire } from '../src/wire/parts.ts';
import type { Certain, WireValue } from './service.ts';

/** The answers of routes as the OpenAPI document describes them, found by method and path. */

/** `/v1/images/{task_id}` as the type of `/v1/images/${id}`. */
type Pattern<Route extends string> = Route extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Pattern<Tail>}`
  : Route;

type WithoutQuery<Path extends string> = Path extends `${infer Route}?${string}` ? Route : Path;

/** The route of a path; never if the document has none, as for a path that is only known when the test runs. */
type RouteOf<Path extends string> = Path extends unknown
  ? {
      [Route in keyof paths]: WithoutQuery<Path> extends Pattern<Route>
        ? Pattern<Route> extends WithoutQuery<Path>
          ? Route
          : never
        : never;
    }[keyof paths]
  : never;

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

/** The answers of the OpenAI-compatible interface, which have no envelope and stand in no document. */
type OpenaiAnswer<Method extends string, Path extends string> = Path extends `/openai/v1/models${string}`
  ? Wire<typeof OpenaiModels>
  : Path extends '/openai/v1/images/generations' | '/openai/v1/images/edits'
    ? OpenaiImagesView
    : Path extends '/openai/v1/videos' | `/openai/v1/videos?${string}`
      ? Method extends 'GET'
        ? OpenaiVideosView
        : OpenaiVideoView
      : Path extends `/openai/v1/videos/${string}`
        ? Method extends 'DELETE'
          ? OpenaiVideoDeletionView
          : OpenaiVideoView
        : never;

/** The whole body of an answer. */
export type RouteBody<Method extends string, Path extends string> = [OpenaiAnswer<Method, Path>] extends [never]
  ? WireValue
  : string extends Path
    ? WireValue
    : Certain<OpenaiAnswer<Method, Path> | OpenaiErrorView>;

/** The `error` of a failed answer. */
export type RouteError<Path extends string> = [RouteOf<Path>] extends [never]
  ? WireValue
  : Omit<Certain<ErrorBodyView['error']>, 'details'> & { readonly details: readonly [Detail, Detail, ...Detail[]] };

/** A fault of the request, or facts such as the price and the balance. */
interface Detail {
  readonly param: string;
  readonly code: string;
  readonly message: string;
  readonly [fact: string]: WireValue;
}
