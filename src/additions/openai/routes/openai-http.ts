import type { HttpOptions } from '../../../http/http-options.ts';
import type { OpenaiConfig } from '../../../service/config/openai-variables.ts';
import type { RecentLeavers } from '../mapping/left-calls.ts';
import type { PlacingCalls } from '../mapping/order-call.ts';

export interface OpenaiHttp extends HttpOptions {
  readonly openai: OpenaiConfig;
  readonly placing: PlacingCalls;
  readonly leavers: RecentLeavers;
  /** The id of this process. */
  readonly process: string;
}
