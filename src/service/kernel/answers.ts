import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import { answerPacked, isUnchanged, type Packed, pack } from '../../http/bodies/packed.ts';
import { isHalfClosed, mayBeGone, onClientGone } from '../../http/connection/half-closed.ts';
import { FILE_SECURITY_POLICY, neverStore } from '../../http/connection/security-headers.ts';
import { fileRoute, serveFile } from '../../http/files/serve-file.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** Answers that are no JSON, and callers that leave before they have theirs. */
export interface Answers {
  /**
   * Hook for routes whose answers no cache may store, such as those with a secret.
   * @example const options = { preHandler: kernel.http.answers.neverStore };
   */
  readonly neverStore: preHandlerHookHandler;
  /**
   * Registers an address of files for GET and HEAD.
   * @example
   * const handler = async () => 'the file';
   * kernel.http.answers.fileRoute(scope, { url: '/v1/brands/logo', files: 'image', schema: {}, handler });
   */
  readonly fileRoute: typeof fileRoute;
  /**
   * Answers with a stored file: whole, a range of it, or 304.
   * @throws ServiceError `rate_limited`
   * @example
   * const file = await kernel.tasks.content(key, 'image', taskId, 'output');
   * const options = { download: false, expiresAt: null, maxAge: 3_600 };
   * await kernel.http.answers.serve(request, reply, file, options);
   */
  serve(
    request: Parameters<typeof serveFile>[0],
    reply: FastifyReply,
    file: Parameters<typeof serveFile>[3],
    options: Parameters<typeof serveFile>[4],
  ): Promise<unknown>;
  /**
   * Content security policy of files.
   * @example reply.header('content-security-policy', kernel.http.answers.filePolicy);
   */
  readonly filePolicy: string;
  /**
   * Keeps bytes that many callers request. Each compressed form is made at its first use.
   * @example const page = kernel.http.answers.pack(Buffer.from('<h1>Brands</h1>'));
   */
  pack(bytes: Buffer): Packed;
  /**
   * Answers with packed bytes in the coding that the caller accepts, or with 304.
   * @example await kernel.http.answers.sendPacked(request, reply, kernel.http.answers.pack(Buffer.from('a')));
   */
  sendPacked(request: FastifyRequest, reply: FastifyReply, packed: Packed): Promise<FastifyReply>;
  /**
   * Sets the `ETag`, and tells whether the caller already has this state: the answer is then 304 without a body.
   * @example if (kernel.http.answers.isUnchanged(request, reply, '"1"')) reply.send();
   */
  isUnchanged(request: Pick<FastifyRequest, 'headers'>, reply: FastifyReply, etag: string): boolean;
  /**
   * Tells whether the caller has closed its side of the connection. It may still read or be gone.
   * @example const isSeen = !kernel.http.answers.isHalfClosed(reply.raw);
   */
  isHalfClosed(response: ServerResponse): boolean;
  /**
   * Tells whether the caller has left, or may have.
   * @example if (kernel.http.answers.mayBeGone(reply.raw)) return;
   */
  mayBeGone(response: ServerResponse): boolean;
  /**
   * Calls back once if the caller may leave before the answer is complete. Returns the function that ends that.
   * @example const end = kernel.http.answers.onClientGone(reply.raw, () => kernel.log.debug('gone'));
   */
  onClientGone(response: ServerResponse, callback: () => void): () => void;
}

/** Opens the answers for additions. @param services returns the services of the process, once HTTP is built */
export function openAnswers(services: () => TaskServices): Answers {
  return {
    neverStore,
    fileRoute,
    serve: (request, reply, file, options) => serveFile(request, reply, services(), file, options),
    filePolicy: FILE_SECURITY_POLICY,
    pack,
    sendPacked: answerPacked,
    isUnchanged,
    isHalfClosed,
    mayBeGone,
    onClientGone,
  };
}
