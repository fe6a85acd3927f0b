import type { Wire } from '@darkroom-service/contract/parts';
import type { Certain } from '../../../test/helpers/certain.ts';
import type { ChatCompletionView } from '../src/mapping/chat-answer.ts';
import type { OpenaiErrorView, OpenaiImagesView } from '../src/mapping/openai-wire.ts';
import type {
  OpenaiImageTaskView,
  OpenaiModels,
  OpenaiVideoDeletionView,
  OpenaiVideosView,
  OpenaiVideoView,
} from '../src/mapping/video-wire.ts';

/** The answers of the OpenAI-compatible interface, for the types of tests that call it. */
declare module '../../../test/helpers/route-answers.ts' {
  interface UndocumentedAnswers<Method extends string, Path extends string> {
    readonly openai: Path extends `/openai/${string}` ? Certain<OpenaiAnswer<Method, Path> | OpenaiErrorView> : never;
  }
}

type OpenaiAnswer<Method extends string, Path extends string> = Path extends `/openai/v1/models${string}`
  ? Wire<typeof OpenaiModels>
  : Path extends '/openai/v1/chat/completions'
    ? ChatCompletionView
    : Path extends
          | '/openai/v1/images/generations'
          | '/openai/v1/images/edits'
          | '/openai/v1/images/variations'
          | `/openai/v1/images/results/${string}`
      ? OpenaiImagesView
      : Path extends `/openai/v1/images/${'generations' | 'edits'}/async` | `/openai/v1/images/tasks/${string}`
        ? OpenaiImageTaskView
        : Path extends '/openai/v1/videos' | `/openai/v1/videos?${string}`
          ? Method extends 'GET'
            ? OpenaiVideosView
            : OpenaiVideoView
          : Path extends `/openai/v1/videos/${string}`
            ? Method extends 'DELETE'
              ? OpenaiVideoDeletionView
              : OpenaiVideoView
            : never;
