import { world } from '@darkroom-service/contract';
import type { FastifyInstance } from 'fastify';
import { createKeyring } from '../accounts/keyring.ts';
import { vaultWith } from '../base/vault.ts';
import { createBodyPace } from '../http/bodies/body-pace.ts';
import { createKeyTurns } from '../http/connection/key-turns.ts';
import type { HttpOptions } from '../http/http-options.ts';
import { linkServices } from '../http/linked-services.ts';
import { buildHttp } from '../http/server.ts';
import type { Config } from './config/config.ts';
import { secretOf } from './installation-secret.ts';
import { openHttp } from './kernel/http.ts';
import { type Kernel, type KernelParts, serveKernel } from './kernel/kernel.ts';
import { assertNewOperations } from './new-operations.ts';
import { type OpenedAddition, openHttpAdditions } from './open-additions.ts';
import type { Parts } from './open-parts.ts';
import type { Readiness } from './readiness.ts';
import type { ReservedPort } from './reserve-port.ts';
import type { ServiceOptions } from './service-options.ts';
import { openRateLimits } from './shared-rate-limits.ts';
import type { Stopping } from './stopping.ts';

const ANSWER_WITHIN_MS = 5_000;
const HANG_UP_EVERY_MS = 50;

/** The parts that the HTTP server needs. */
interface HttpParts {
  readonly config: Config;
  readonly kernel: Kernel;
  readonly kernelParts: KernelParts;
  /** The enabled additions. */
  readonly enabled: readonly OpenedAddition[];
  readonly options: ServiceOptions;
  readonly parts: Parts;
  readonly readiness: Readiness;
  readonly stopping: Stopping;
  readonly port: number;
  /** Reserves the port until the server listens; null if the configuration names a port. */
  readonly reservedPort: ReservedPort | null;
}

/** Starts answering requests. */
export async function startHttp(
  { config, kernel, kernelParts, enabled, options, parts, readiness, stopping, port, reservedPort }: HttpParts,
  closers: AsyncDisposableStack,
): Promise<void> {
  const { clock, database, services, log, registry } = parts;
  const serving = serveKernel(kernel, kernelParts, (link) => openHttp(() => httpOptions, link));
  const additions = await openHttpAdditions(enabled, serving);
  assertNewOperations(enabled, additions);
  const httpOptions: HttpOptions = {
    additions,
    services,
    servicesFor: config.publicUrl === null ? linkServices(services) : () => services,
    keyring: createKeyring({
      database,
      clock,
      cell: config.cell,
      clientSecrets: () => parts.signingSecrets.of('client_tokens'),
    }),
    rateLimits: openRateLimits(parts),
    takeKeyTurn: createKeyTurns(),
    bodyPace: createBodyPace(() => world.monotonic()),
    hold: kernel.installation.hold,
    publicUrl: services.settings.publicUrl,
    docsUrl: enabled.some(({ serves }) => serves === 'docs') ? `${services.settings.publicUrl}/docs` : null,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    maxBodyBytes: config.maxBodyBytes,
    maxUploadBytes: config.maxUploadBytes,
    approveOver: config.approveOver,
    secretOf: (name) => secretOf(database, name),
    vaultOf: async (name) => services.settings.vault ?? vaultWith(await secretOf(database, name)),
    hideUnavailable: config.catalogUnavailable === 'hide',
    readiness: (asked) => readiness.report(asked),
    metrics: registry,
    running: parts.process.heartbeat.running,
    log,
    logRequests: config.logRequests,
    isLeaving: () => stopping.phase !== 'serving' && stopping.phase !== 'starting',
    isStopping: () => stopping.phase === 'stopping',
  };
  const http = await buildHttp(httpOptions);
  closers.defer(() => closeHttp(http, Math.min(stopping.drainMs, ANSWER_WITHIN_MS)));
  await options.beforeListening?.(database);
  await reservedPort?.release();
  const { socketPath } = options;
  await http.listen(socketPath === undefined ? { host: config.host, port } : { path: socketPath });
}

/** Finishes current requests. Connections still open after `withinMs`, such as a stalled download, are closed. */
async function closeHttp(http: FastifyInstance, withinMs: number): Promise<void> {
  const cut = world.setTimeout(() => http.server.closeAllConnections(), withinMs);
  // A keep-alive connection becomes idle only after its last response.
  const hangUp = world.setInterval(() => http.server.closeIdleConnections(), HANG_UP_EVERY_MS);
  await http.close().finally(() => {
    world.clearTimeout(cut);
    world.clearInterval(hangUp);
  });
}
