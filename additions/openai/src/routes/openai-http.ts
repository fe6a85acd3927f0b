import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { RouteTools } from '@darkroom-service/darkroom/kernel-http';
import type { Dialect } from '../mapping/dialect.ts';
import type { CallRecords } from '../open-call-records.ts';
import type { OpenaiConfig } from '../openai-settings.ts';

/** The parts that the routes share. */
export interface OpenaiHttp extends CallRecords {
  readonly kernel: ServingKernel;
  readonly openai: OpenaiConfig;
  readonly dialect: Dialect;
  readonly waits: RouteTools['waits'];
  readonly maxBodyBytes: number;
}
