/** Addresses in messages of the service, and the tools that do the same. */
const TOOLS = [
  [/\b(?:GET )?\/v1\/models\b/g, 'search_models'],
  [/\bPOST \/v1\/images\/actions\b/g, 'act_on_picture'],
  [/\bPOST \/v1\/images\b(?!\/)/g, 'create_picture'],
  [/\bPOST \/v1\/videos\b(?!\/)/g, 'create_film'],
  [/\bPOST \/v1\/batches\b(?!\/)/g, 'create_batch'],
  [/\bPOST \/v1\/prices\b/g, 'quote'],
  [/\bGET \/v1\/(?:images|videos)\/(\w+)/g, 'wait_for_task with the task_id $1'],
  [/\bGET \/v1\/(?:images|videos)\b/g, 'list_tasks'],
  // No tool does the rest.
  [/\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[\w/{}]+/g, '$& of the HTTP interface'],
] as const;

/** Names the tools of an agent in an error, where it names addresses that do the same. */
export function inToolTerms<Fault extends { readonly message: string; readonly details?: readonly object[] }>(
  error: Fault,
): Fault {
  const { message, details } = error;
  return {
    ...error,
    message: textInToolTerms(message),
    ...(details === undefined ? {} : { details: details.map(detailInToolTerms) }),
  };
}

function detailInToolTerms(detail: object): object {
  return 'message' in detail ? { ...detail, message: textInToolTerms(String(detail.message)) } : detail;
}

function textInToolTerms(message: string): string {
  return TOOLS.reduce((text, [address, tool]) => text.replaceAll(address, tool), message);
}
