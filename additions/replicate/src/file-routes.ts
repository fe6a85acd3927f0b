import { readForm, takeForms } from '@darkroom-service/addition-openai/routes/read-form';
import { type FileView, ServiceError } from '@darkroom-service/contract';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type ReplicateHttp, rootOf } from './replicate-routes.ts';

/** Serves uploads of files that orders name: `POST /v1/files`, called within the process, in Replicate's shape. */
export async function fileRoutes(forms: App, parts: ReplicateHttp): Promise<void> {
  await takeForms(forms, parts);
  forms.post('/files', { bodyLimit: parts.maxBodyBytes, schema: { hide: true } }, async (request, reply) => {
    const { app, kernel } = parts;
    if (!request.isMultipart())
      throw new ServiceError('unsupported_media_type', 'Send a multipart form with the file as content.');
    const form = await readForm(parts, request);
    try {
      const content = form.files.find(({ name }) => name === 'content');
      if (content === undefined)
        throw new ServiceError('invalid_request', 'content: expected a file.', { param: 'content' });
      const { authorization = '', host = 'localhost' } = request.headers;
      const answer = await app.inject({
        method: 'POST',
        url: '/v1/files',
        headers: { authorization, host, 'x-request-id': request.id, 'content-type': 'application/octet-stream' },
        payload: Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength),
      });
      const { data, error } = answer.json<Answer>();
      reply.code(answer.statusCode);
      if (error !== undefined)
        return reply.send({ title: error.code, detail: error.message, status: reply.statusCode });
      return reply.send(viewFile(data, rootOf(kernel.http.linked(request))));
    } finally {
      form.release();
    }
  });
}

interface Answer {
  readonly data: FileView;
  readonly error?: { readonly code: string; readonly message: string };
}

function viewFile({ file_id: id, sha256, ...file }: FileView, rootUrl: string): object {
  return {
    id,
    name: id,
    content_type: file.content_type,
    size: file.bytes,
    etag: sha256,
    checksums: { sha256 },
    metadata: {},
    created_at: file.created_at,
    expires_at: file.expires_at,
    urls: { get: `${rootUrl}/files/${id}` },
  };
}
