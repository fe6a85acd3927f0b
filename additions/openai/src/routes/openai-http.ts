import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { RouteTools } from '@darkroom-service/darkroom/kernel-http';
import type { RecentDisconnects } from '../mapping/abandoned-calls.ts';
import type { DeliveredCalls } from '../mapping/delivered-calls.ts';
import type { Dialect } from '../mapping/dialect.ts';
import type { PlacingCalls } from '../mapping/order-call.ts';
import type { OpenaiConfig } from '../openai-settings.ts';

/** The parts that the routes share. */
export interface OpenaiHttp {
  readonly kernel: ServingKernel;
  readonly openai: OpenaiConfig;
  readonly dialect: Dialect;
  readonly placing: PlacingCalls;
  readonly leavers: RecentDisconnects;
  readonly delivered: DeliveredCalls;
  readonly waits: RouteTools['waits'];
  readonly maxBodyBytes: number;
}
