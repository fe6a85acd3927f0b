import type { OpenaiConfig } from '../../../config/openai-variables.ts';
import type { HttpOptions } from '../../../http/http-options.ts';

export interface OpenaiHttp extends HttpOptions {
  readonly openai: OpenaiConfig;
}
