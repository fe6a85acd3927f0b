import type { HttpOptions } from '../../../http/http-options.ts';
import type { OpenaiConfig } from '../../../service/config/openai-variables.ts';
import type { PlacingCalls, RecentLeavers } from '../mapping/order-call.ts';

export interface OpenaiHttp extends HttpOptions {
  readonly openai: OpenaiConfig;
  readonly placing: PlacingCalls;
  readonly leavers: RecentLeavers;
}
