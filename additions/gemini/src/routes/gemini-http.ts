import type { CallRecords } from '@darkroom-service/addition-openai/open-call-records';
import type { OpenaiConfig } from '@darkroom-service/addition-openai/openai-settings';
import type { HoldCall } from '@darkroom-service/addition-openai/routes/hold-call';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { RouteTools } from '@darkroom-service/darkroom/kernel-http';

/** The parts that the routes share. */
export interface GeminiHttp extends CallRecords {
  readonly kernel: ServingKernel;
  /** The operator's aliases, and the time for which requests are held. */
  readonly settings: OpenaiConfig;
  readonly waits: RouteTools['waits'];
  /** Holds a request until its call is final. */
  readonly hold: HoldCall;
}
