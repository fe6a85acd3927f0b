/**
 * Features that are in the core and leave it for additions and packages, each with its files: paths from `src/` without
 * the ending. What is left is the kernel. A feature whose files have moved into `additions/` keeps its line for older
 * checkouts.
 */
export const LEAVING: Readonly<Record<string, RegExp>> = {
  batches:
    /^(?:orders\/batches|http\/batches)\/|^(?:tasks\/views\/(?:batch-(?:files|tasks|view)|find-batches)|operations\/audit-batches|database\/batch-tables)$/,
  chains: /^worker\/chains\/|^(?:orders\/(?:action-parents|block-task)|tasks\/(?:waits|awaited-output|action-parent))$/,
  references: /^worker\/references\//,
  uploads: /^tasks\/uploads\//,
  search: /^(?:tasks\/views\/search-tasks|operations\/search-orders|accounts\/search-acts)$/,
  'delayed deletion': /^orders\/restore-task$/,
  usage: /^accounts\/usage/,
  moderation: /^worker\/moderation/,
  streams: /^http\/tasks\/(?:event-routes|follow-task|task-stream-route)$/,
  webhooks:
    /^(?:tasks\/events\/(?:send-test-event|webhook-\w+)|tasks\/views\/webhook-view|http\/webhook-routes|database\/webhook-tables)$/,
  'request log':
    /^accounts\/requests\/|^(?:http\/(?:connection\/record-requests|request-routes|admin\/admin-request-routes)|operations\/request-log-metrics)$/,
  guide:
    /^http\/docs\/(?:client-routes|curl-example|error-examples|guide-\w+|page-frame|reference-pages|render-markdown)$/,
  callbacks:
    /^(?:tasks\/(?:callback-tokens|events\/receive-callbacks)|http\/callback-routes|worker\/upstream-callbacks)$/,
  admin: /^http\/(?:admin|console)\//,
  doctor: /^service\/doctor\//,
  'settings of additions':
    /^service\/config\/(?:addition|alert|local|people|provenance|upstream-key)-variables$|^service\/config\/(?:own-server|nats-url)/,
  "customers' own keys":
    /^(?:routing|service|http|service\/doctor)\/(?:open-|diagnose-)?upstream-keys?(?:-routes)?$|^(?:routing\/keyed-engines|tasks\/keyed-engine)$/,
  'end users and client tokens':
    /^(?:accounts\/(?:end-user\w*(?:-\w+)*|client-(?:scope|token))|http\/(?:end-user|client-token)-routes|http\/client-access|operations\/audit-end-users)$/,
  // What the point `checks` tells additions stays.
  reports: /^operations\/(?!(?:backlog|checks|processes|standbys)$)/,
  'commands of operators': /^cli\//,
};

/** Neither kernel nor leaving: what the kernel stands on, and what joins everything. */
export const BESIDE_KERNEL =
  /^(?:additions|base|storage)\/|^database\/(?!schema$|migrations\/|\w+(?:-\w+)*-tables$)|^(?:main|create-darkroom|kernel(?:-\w+)?)$/;
