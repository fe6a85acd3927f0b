import { orderCall } from '@darkroom-service/addition-openai/mapping/order-call';
import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { identityOf, trackEnd } from '@darkroom-service/addition-openai/routes/call-request';
import { OpenBody } from '@darkroom-service/addition-openai/routes/image-request';
import type { OpenaiHttp } from '@darkroom-service/addition-openai/routes/openai-http';
import { readJson } from '@darkroom-service/addition-openai/routes/read-request';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { Type } from 'typebox';
import { VideoJob } from '../mapping/openrouter-wire.ts';
import { readVideoRequest } from '../mapping/video-request.ts';
import { viewVideoJob } from '../mapping/video-view.ts';

const ACCEPTED = 202;
const JobParams = Type.Object({ job_id: Type.String({ maxLength: LONGEST.pathPart }) });

/** Serves videos: ordered at once, polled until they are completed. */
export function videoRoutes(mount: App, parts: OpenaiHttp): void {
  const { dialect, kernel, openai } = parts;
  const { http, orders, tasks } = kernel;

  mount.post(
    '/videos',
    { onRequest: http.limit('creates'), schema: { hide: true, body: OpenBody, response: { [ACCEPTED]: VideoJob } } },
    async (request, reply) => {
      const sent = readJson(kernel, request);
      try {
        const key = http.caller(request);
        const linked = http.linked(request);
        const wanted = readVideoRequest(sent.body, { catalog: orders.catalog(), aliases: openai.aliases });
        const identity = identityOf(request, { type: 'video', path: `${dialect.root}/videos`, body: sent.body });
        const call = await orderCall({ ...parts, kernel: linked }, key, wanted, identity);
        const row = await tasks.row(key, 'video', call.taskIds[0] ?? '');
        describeCall(reply, call);
        trackEnd(parts, reply, call, () => 'delivered');
        return reply.code(ACCEPTED).send(viewVideoJob(linked, row));
      } finally {
        sent.release();
      }
    },
  );

  mount.get(
    '/videos/:job_id',
    { onRequest: http.limit('reads'), schema: { hide: true, params: JobParams, response: { 200: VideoJob } } },
    async (request) =>
      viewVideoJob(http.linked(request), await tasks.row(http.caller(request), 'video', request.params.job_id)),
  );
}
