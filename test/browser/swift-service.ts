import type { TestContext } from 'node:test';
import { startTestService, type TestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';

/** A service for tests that do not look at what is drawn: a painter takes half a second of processor time to start. */
export async function startSwiftService(
  t: Pick<TestContext, 'after'>,
  options: Parameters<typeof startTestService>[1] = {},
): Promise<TestService> {
  const probe = async () => ({ ok: true, message: 'answers' });
  const engines = [{ ...createStoppableEngine(), isLocal: true, probe }];
  return await startTestService(t, { ...options, service: { engines, ...options.service } });
}
