import type { HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import type { RecentDisconnects } from '../mapping/abandoned-calls.ts';
import type { DeliveredCalls } from '../mapping/delivered-calls.ts';
import type { PlacingCalls } from '../mapping/order-call.ts';
import type { OpenaiConfig } from '../openai-settings.ts';

export interface OpenaiHttp extends HttpOptions {
  readonly openai: OpenaiConfig;
  readonly placing: PlacingCalls;
  readonly leavers: RecentDisconnects;
  readonly delivered: DeliveredCalls;
  /** Id of this process. */
  readonly process: string;
}
