import type { HttpOptions } from '../../../kernel-http.ts';
import type { DeliveredCalls } from '../mapping/delivered-calls.ts';
import type { RecentLeavers } from '../mapping/left-calls.ts';
import type { PlacingCalls } from '../mapping/order-call.ts';
import type { OpenaiConfig } from '../openai-settings.ts';

export interface OpenaiHttp extends HttpOptions {
  readonly openai: OpenaiConfig;
  readonly placing: PlacingCalls;
  readonly leavers: RecentLeavers;
  readonly delivered: DeliveredCalls;
  /** Id of this process. */
  readonly process: string;
}
