import type { Addition } from '../../service/addition.ts';

/** Lets a service of the operator judge every order before its submission, and every output before its success. */
export const MODERATION: Addition = {
  name: 'moderation',
  async intercept({ config: { moderation }, services, fetch }) {
    if (moderation === null) return null;
    const [{ createModeration }, { questionBefore, questionAfter }] = await Promise.all([
      import('./ask-moderation.ts'),
      import('./moderation-question.ts'),
    ]);
    const { catalog, log, signer } = services;
    const { judge } = createModeration({ ...moderation, fetch, log });
    return {
      beforeSubmission: (order, signal) => judge(questionBefore(order, catalog().find(order.model_id), signer), signal),
      beforeSuccess: (order, outputs, signal) => judge(questionAfter(order, outputs, signer), signal),
    };
  },
};
