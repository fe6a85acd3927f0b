/** Made from the OpenAPI document of the service by `npm run console:types`. Do not edit. */

import type { Wire } from '@darkroom-service/contract/parts';

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the keys that verify receipts
         * @description A JWK Set without an envelope. The keys of earlier receipts stay in it after a rotation.
         */
        get: operations["getReceiptKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description With their balances and terms.
         */
        get: operations["adminListAccounts"];
        put?: never;
        /**
         * Create an account
         * @description A new account has no credit; credit it before live keys order.
         */
        post: operations["adminCreateAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account
         * @description With its balance and terms.
         */
        get: operations["adminGetAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description Changes the name, the credit limit, the prices or the hidden models. Fields left out stay.
         */
        patch: operations["adminUpdateAccount"];
        trace?: never;
    };
    "/admin/v1/accounts/{account_id}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit an account
         * @description A negative amount takes money back. Send an Idempotency-Key to repeat the request safely.
         */
        post: operations["adminCreditAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{account_id}/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how an account's outputs are marked
         * @description Whether the files of its outputs say that a machine made them.
         */
        get: operations["adminGetAccountProvenance"];
        /**
         * Set how an account's outputs are marked
         * @description It applies within a few seconds, to outputs that are stored from then on.
         */
        put: operations["adminSetAccountProvenance"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Open ones and those that ended within the last 30 days, newest first: what was observed, when it began and ended, and the last message by each channel.
         */
        get: operations["adminListAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/alerts/{alert_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert
         * @description Notes who has taken an open alert on. It is not repeated; its end is told.
         */
        post: operations["adminAcknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/alerts/{alert_id}/silence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Silence an alert
         * @description Sends no message about the condition for a time, also if it ends and begins again.
         */
        post: operations["adminSilenceAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description What keys, people and programs changed, newest first: who, from where, and the fields before and after. Entries are kept for `DARKROOM_AUDIT_DAYS`. In place of an end user it has a digest.
         */
        get: operations["adminListAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description All entries that match, as JSON lines, oldest first.
         */
        get: operations["adminExportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/catalog/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reload the catalog
         * @description If a file has a fault, the answer lists the faults and the old catalog stays in force.
         */
        post: operations["adminReloadCatalog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report what live orders earned and cost
         * @description By model, account and engine, over a period of at most 366 days. Orders without a known cost are left out.
         */
        get: operations["adminReportCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/costs/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders behind the costs
         * @description Live orders that the cost report counts, latest first, as long as their rows are kept. Page with `next_after`: a page may have no order that matches.
         */
        get: operations["adminListCostOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/engines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engines
         * @description With their pauses, circuit breakers, limits and queues.
         */
        get: operations["adminListEngines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/engines/{name}/circuit/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close the circuit breaker of an engine
         * @description The upstream gets orders again at once.
         */
        post: operations["adminCloseCircuit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/engines/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an engine
         * @description The engine gets no orders until it is resumed. Orders that it has already are finished.
         */
        post: operations["adminPauseEngine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/engines/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume an engine
         * @description Repeating the request is not an error.
         */
        post: operations["adminResumeEngine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures
         * @description Newest first. They stay as the list of what to erase again after a restore.
         */
        get: operations["adminListErasures"];
        put?: never;
        /**
         * Erase people's data
         * @description Erases what is stored until now of one end user of all keys of an account, or of the account, whose keys are then revoked. Open orders are canceled, or erased when they have ended. Ledger, charges and sums stay. It cannot be undone.
         */
        post: operations["adminEraseData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/erasures/{erasure_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an erasure
         * @description How far it is.
         */
        get: operations["adminGetErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes
         * @description A stream of server-sent events. `changed`: an order, an alert, a circuit, a delivery or an act of an operator has changed. The events say no more, so read what you show again.
         */
        get: operations["adminFollowChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the examples of all models
         * @description With the orders that they show; one with `task_id`, if that order is an example. Page with `after`, the last `example_id` of the page before.
         */
        get: operations["adminListExamples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export people's data
         * @description Begins an export of what is stored until now of an account, or of one end user of all its keys. Its archives can be downloaded for 7 days.
         */
        post: operations["adminExportData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/exports/{export_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export
         * @description A ZIP archive with up to 100 orders, their inputs and outputs, and the ledger; the first also has keys, uploads and the request log. The header `darkroom-next` has the `after` of the next archive; without it this is the last. A download that broke off is requested again.
         */
        get: operations["adminDownloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List failed orders of the last day
         * @description Latest first, with the reason that the engine gave.
         */
        get: operations["adminListFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/failures/causes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Group the failed orders of the last day by cause
         * @description By engine, code and wording, the most frequent first, each with the latest order as an example.
         */
        get: operations["adminListFailureCauses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run every check
         * @description Calls the upstreams of the engines too.
         */
        get: operations["adminGetHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold the service
         * @description Orders are accepted and wait. No order and no webhook is sent. Holding again replaces the message.
         */
        post: operations["adminHold"];
        /**
         * End a hold
         * @description A restored or copied installation needs `as`: a worker then puts the orders that were open at the copy into reconciliation, and the hold ends.
         */
        delete: operations["adminRelease"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open invitations
         * @description To the operators, or to one account.
         */
        get: operations["listAllInvitations"];
        put?: never;
        /**
         * Invite somebody to an account or to the operators
         * @description Answers with a link to hand on. Whoever signs in with it and accepts first gets the role. It works once, within seven days.
         */
        post: operations["inviteAnyone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Its link stops working at once.
         */
        delete: operations["withdrawAnyInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Without their secrets. Revoked keys are included.
         */
        get: operations["adminListKeys"];
        put?: never;
        /**
         * Issue an API key
         * @description The secret is in this answer only.
         */
        post: operations["adminIssueKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description With the number of its tasks, which become unreachable when it is revoked.
         */
        get: operations["adminGetKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Changes the name, the expiry, the models, the rates or the limits. Fields and windows left out stay; null removes an expiry or a limit. Takes effect within two seconds in every process and touches no order that was placed before. A revoked key cannot be changed.
         */
        patch: operations["adminUpdateKey"];
        trace?: never;
    };
    "/admin/v1/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Takes effect within two seconds and cannot be undone.
         */
        post: operations["adminRevokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an API key a new secret
         * @description The old secret works for `grace_seconds` more. The new secret is in this answer only.
         */
        post: operations["adminRotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of API keys
         * @description What each key has spent this UTC month, what it holds, and when it last placed an order.
         */
        get: operations["adminGetKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/local/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models of this machine
         * @description Those that can be pulled, with size, licence and progress, and the servers that Darkroom starts.
         */
        get: operations["adminListLocalModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/local/models/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a pulled model
         * @description Removes its files and unfinished downloads. Files that another model uses stay.
         */
        delete: operations["adminRemoveLocalModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/local/models/{name}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the pull of a model
         * @description What has arrived is kept for the next pull.
         */
        post: operations["adminCancelLocalPull"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/local/models/{name}/pull": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pull a model
         * @description The process that answers downloads the model; the answer comes at once. A stopped pull continues where it was.
         */
        post: operations["adminPullLocalModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models and their routes
         * @description Says why a model is not available to live keys.
         */
        get: operations["adminListModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/models/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a model
         * @description Orders of the model are refused until it is resumed.
         */
        post: operations["adminPauseModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/models/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a model
         * @description Repeating the request is not an error.
         */
        post: operations["adminResumeModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people
         * @description Everybody who has signed in, by person_id, with their roles and open sessions.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a person
         * @description Answers the person as they were. Name, email address, roles and sessions go at once. API keys go on working: the answer lists those that the person knows, and `revoke_keys=true` revokes them. Their orders stay, with the `person_id` as end user: request an erasure for it to erase what they contain. Whoever signs in again is a new person.
         */
        delete: operations["removePerson"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{person_id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the role of a person
         * @description In an account, or as an operator. Bearers of the role before end at once. A role by a group of the sign-in provider stays, if it is the higher one.
         */
        put: operations["setPersonRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{person_id}/sign_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of a person
         * @description In every browser and command line. The person can sign in again as long as a role is left.
         */
        post: operations["signOutPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the processes of the service
         * @description The newest first, with those that ended without a word within a day.
         */
        get: operations["adminListProcesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the task of a file by its hash, of any account
         * @description The first task with this output. `GET /admin/v1/tasks/{task_id}` tells whose it is.
         */
        get: operations["findOriginAsOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders to reconcile
         * @description Orders of unknown outcome and late results, to compare with the bills of the upstream.
         */
        get: operations["adminListReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/reconciliation/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an order to reconcile
         * @description Stores what you found. Neither money nor the task changes.
         */
        post: operations["adminResolveReconciliation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/reconciliation/causes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Group the unresolved entries by cause
         * @description By engine, kind and wording, the most frequent first, each with the latest entry as an example.
         */
        get: operations["adminListReconciliationCauses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/reconciliation/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve several orders to reconcile
         * @description Stores one finding for up to 100 entries, all or none. Neither money nor the tasks change.
         */
        post: operations["adminResolveReconciliations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of keys
         * @description Newest first, and how each was answered: no queries, bodies or headers are kept. By default successful reads are left out. Entries are kept for 7 days, and the last 2,000 of each key. Page with `next_after`.
         */
        get: operations["adminListRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/signing_secrets/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secrets that sign addresses, share links and client tokens
         * @description What was signed before works until `grace_seconds` have passed; with 0 it stops at once. No answer contains a secret.
         */
        post: operations["adminRotateSigningSecrets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Of all keys, without prompts and files, newest first; with `state=open` oldest first. What `search` names is found by indexes, and `found_by` tells it. Words are looked for in the newest 20,000 orders of each type at a time: `searched_since` tells how far, and `next_after` goes on. `standing` tells why an order stands still.
         */
        get: operations["adminListTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task of any key
         * @description Shows where it stands inside the service, without prompt and files.
         */
        get: operations["adminGetTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/{task_id}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the upstream of a task now
         * @description Makes the next check due at once, at most every ten seconds. Read its `standing` afterwards.
         */
        post: operations["adminAskUpstream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task for its customer
         * @description As if the customer had canceled it.
         */
        post: operations["adminCancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/{task_id}/example": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Show an order as an example of its model
         * @description Everybody then sees its prompt, its price and a copy of its thumbnail, which outlives the order's retention. Takes live orders that succeeded, without `end_user` and of an account that has an admin key: the operator's own. A model has at most 12. Deleting the order or erasing its account removes the example. Repeating the request changes nothing.
         */
        put: operations["adminMarkExample"];
        post?: never;
        /**
         * Stop showing an order as an example
         * @description Also if the order itself has expired.
         */
        delete: operations["adminUnmarkExample"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/{task_id}/give_up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give up a task and release its hold
         * @description Ends an order that its upstream has, or may have, with `outcome_unknown`. It is not charged and never sent again. A late result is listed for reconciliation.
         */
        post: operations["adminGiveUpTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/{task_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a task
         * @description Gives the whole charge of a succeeded task back, once: to the balance and to the limits. Resolves its `broken_output` and sends `task.refunded`.
         */
        post: operations["adminRefundTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the upstreams of many tasks now
         * @description Of all open tasks that the filter finds and an upstream may have. Refused if these are not `expected` orders. Each is done once and soon, and the audit log names it; one that has changed by then is left alone. Repeating the request with its `Idempotency-Key` tells how many are `pending`.
         */
        post: operations["adminAskUpstreams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel many tasks for their customers
         * @description All open tasks that the filter finds and that can be canceled. Refused if these are not `expected` orders. Each is done once and soon, and the audit log names it; one that has changed by then is left alone. Repeating the request with its `Idempotency-Key` tells how many are `pending`.
         */
        post: operations["adminCancelTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/deeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the open orders that a deed would change
         * @description Of those that the filter finds, the oldest 10,000 at most. Send the number as `expected`.
         */
        get: operations["adminCountDeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tasks/give_up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give up many tasks and release their holds
         * @description All open tasks that the filter finds and that an upstream has, or may have. Refused if these are not `expected` orders. Each is done once and soon, and the audit log names it; one that has changed by then is left alone. Repeating the request with its `Idempotency-Key` tells how many are `pending`.
         */
        post: operations["adminGiveUpTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries of every account
         * @description Newest first, with every attempt.
         */
        get: operations["adminListWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/webhooks/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a webhook again
         * @description Sends the task as it is now, with the same webhook-id.
         */
        post: operations["adminRedeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/examples/{example_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the picture of an example
         * @description Needs no key. The address works until the operator removes the example or the order is deleted.
         */
        get: operations["getExamplePicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file by its signed URL
         * @description Needs no API key: the signature in the URL is the permission. Answers contain such URLs ready to use. If the answer is `public`, a cache in front may still return the file for its `max-age` after it was deleted or its key was revoked.
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process runs
         * @description Checks nothing else. Use it as the liveness probe.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics for Prometheus
         * @description Needs an admin key.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service can work
         * @description Answers 503 if it cannot. With an admin key the answer lists every check.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{share_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a shared file
         * @description Needs no API key: the signature in the URL is the permission. `file_url` of a share link is this URL.
         */
        get: operations["downloadShare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{share_id}/files/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download one of several shared files
         * @description Files are numbered from 1, in the order of `task_ids` when the link was made. Needs no API key: the query of `file_url` is the permission here, too.
         */
        get: operations["downloadSharedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance and the limits of your key
         * @description Test keys have a balance of their own.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invitations to your account
         * @description Those that nobody has accepted and that have not expired.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody to your account
         * @description Answers with a link to hand on. Whoever signs in with it and accepts first gets the role. It works once, within seven days.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation to your account
         * @description Its link stops working at once.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of your account
         * @description Live and test keys, revoked ones too. Only for people who sign in, as managers.
         */
        get: operations["listAccountKeys"];
        put?: never;
        /**
         * Create a key of your account
         * @description The secret is in this answer and never again.
         */
        post: operations["createAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a key of your account
         * @description Sets only the fields that are sent.
         */
        patch: operations["changeAccountKey"];
        trace?: never;
    };
    "/v1/account/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key of your account
         * @description For good.
         */
        post: operations["revokeAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a key of your account a new secret
         * @description The old secret works for the grace period.
         */
        post: operations["rotateAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the movements of money
         * @description Newest first. Page with `after`, the entry_id of the last entry of the page before.
         */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of your account
         * @description By person_id, with their roles, limits and spending. Only for people who sign in, as managers.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/members/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from your account
         * @description Their bearers end at once; their orders stay with the account. A role by a group ends only at the provider. API keys go on working: the answer lists those of the account that the person knows, and `revoke_keys=true` revokes them.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role or the limits of a member
         * @description Bearers of the role before end at once. A role by a group of the sign-in provider stays, if it is the higher one. Limits replace those before and hold for live orders.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/v1/account/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders of your account
         * @description Those of everybody in the account, by whichever key, in the mode of the bearer; newest first. Only for people who sign in. To see your own with all filters, use `GET /v1/images` and `GET /v1/videos`.
         */
        get: operations["listAccountTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order of your account
         * @description The same for one order.
         */
        get: operations["getAccountTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/tasks/{task_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the output of an order of your account
         * @description As `GET /v1/images/{task_id}/content` does for your own.
         */
        get: operations["getAccountTaskContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/upstream_keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's own upstream keys
         * @description Also lists the engines that accept one, and the fee of orders with one. Secrets are never answered.
         */
        get: operations["listUpstreamKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/upstream_keys/{engine}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the account's own key at an upstream
         * @description Live orders of models that this upstream makes go there with this key, and cost the fee. Replaces the key before; orders that were submitted with that one keep it until they end. Needs a live key with access to the whole account.
         */
        put: operations["setUpstreamKey"];
        post?: never;
        /**
         * Remove the account's own key at an upstream
         * @description Orders that were not submitted yet fail and are released. Orders that were submitted keep the key until they end. Needs a live key with access to the whole account.
         */
        delete: operations["removeUpstreamKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report tasks and their cost
         * @description Counts the tasks created in a period, grouped as you ask. Deleted tasks are included.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the default webhook URL
         * @description Live and test keys have separate URLs.
         */
        get: operations["getWebhookUrl"];
        /**
         * Set the default webhook URL
         * @description Used by orders without `webhook_url`. Needs a key with access to the whole account.
         */
        put: operations["setWebhookUrl"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description Newest first, with every attempt. Page with `after`, the delivery_id of the last one.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhooks/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a webhook again
         * @description Sends the task as it is now, with the same webhook-id.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhooks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the secrets that sign webhooks
         * @description Live and test keys have separate secrets. The first request creates one.
         */
        get: operations["getWebhookSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhooks/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the webhook secret
         * @description For 24 hours webhooks are signed with both secrets. Needs a key with access to the whole account.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test webhook
         * @description Sends one signed event of the type `webhook.test` and returns what the receiver answered. It is not repeated by itself. Counts as a create against the rate limit.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the batches of your key
         * @description Newest first. Page with `after`, the batch_id of the last batch of the page before.
         */
        get: operations["listBatches"];
        put?: never;
        /**
         * Order a batch
         * @description Places up to 10,000 orders at one price: all of them, or none. Send a JSON object with `orders`, or application/jsonl with one order per line and the other fields in the query. The tasks follow within seconds. Send an Idempotency-Key to repeat the request without a second charge.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch
         * @description Counts its tasks by status, and what they cost so far.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Cancels the orders that have not started and releases their prices, soon after the answer. Orders that have started go on. Repeating the request is not an error.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the changes of a batch
         * @description Server-sent events: the batch at once, then at most once a second when it has changed, until it has ended.
         */
        get: operations["streamBatchEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of a batch
         * @description The sums of a batch that has ended, and the status, the charge and the hashes of each of its tasks, signed as the receipt of a task.
         */
        get: operations["getBatchReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the results of a batch
         * @description Streams every final task as one line of JSON, with fresh signed URLs of its outputs. With `format=zip`, streams the outputs as an archive; `missing.jsonl` in it lists the tasks without one.
         */
        get: operations["getBatchResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of a batch
         * @description Oldest first. Page with `after`, the task_id of the last task of the page before.
         */
        get: operations["listBatchTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calculate the price of a batch
         * @description Checks and prices every order as its create would. Send a JSON object with `orders`, or application/jsonl with one order per line and the other fields in the query. Nothing is ordered or charged.
         */
        post: operations["quoteBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all public models at default prices
         * @description Needs no API key. Send the ETag of an earlier answer as If-None-Match to get 304 if nothing changed.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/client_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a token for a program of an end user
         * @description For pages and apps that must not have your key. The token orders for one end user and sees only its tasks and files. It ends with the secret of the key that issued it.
         */
        post: operations["createClientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the destinations of your account
         * @description Buckets that `deliver_to` can name. Their credentials are never answered.
         */
        get: operations["listDestinations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a destination
         * @description Its credentials are never answered.
         */
        get: operations["getDestination"];
        /**
         * Set a destination
         * @description Replaces an earlier one of this name, also for deliveries that are pending. Needs a live key with access to the whole account.
         */
        put: operations["setDestination"];
        post?: never;
        /**
         * Remove a destination
         * @description Its credentials are erased. Pending deliveries fail after a day unless it is set again. Needs a live key with access to the whole account.
         */
        delete: operations["removeDestination"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end_users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the end users of your key
         * @description By name: those with limits, and those with an order whose data are still kept. Page with `after`, the end_user of the last one of the page before.
         */
        get: operations["listEndUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end_users/{end_user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the limits and the spending of an end user
         * @description An end user that has not ordered yet has spent nothing.
         */
        get: operations["getEndUser"];
        /**
         * Set the limits of an end user
         * @description Replaces all limits that the end user has. They count what its windows hold already. A window that is left out has the limit of your key.
         */
        put: operations["setEndUserLimits"];
        post?: never;
        /**
         * Remove the limits of an end user
         * @description It has the limits of your key again. Its tasks and its spending stay.
         */
        delete: operations["deleteEndUserLimits"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the changes of several tasks
         * @description Server-sent events: each task at once, then at each change, also of its queue position, until all of them are final. Counts as one open stream for each task.
         */
        get: operations["streamTaskEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the newest example of each model
         * @description Of the models that your key can order. Those without an example are left out.
         */
        get: operations["listExamples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description Send an image, video or sound as the raw body with its Content-Type, or as the only file of a multipart body. Name it as `upload:<file_id>` in orders. A file of one of your own customers names them in `end_user`, in the address or as a field of the form: their export has it, and it goes with their erasure.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an uploaded file
         * @description Answers with the data of the file and a signed URL of its content.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /**
         * Delete an uploaded file
         * @description Orders that use the file already keep working.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the image tasks of your key
         * @description Newest first. Page with `after`, the task_id of the last task of the page before. With `search`, only tasks with these words in their prompt or model_id; page with `next_after`.
         */
        get: operations["listImages"];
        put?: never;
        /**
         * Order an image
         * @description Creates a task and holds its price. The answer does not wait for the image unless `Prefer: wait=N` is sent. Send an Idempotency-Key to repeat the request without a second charge.
         */
        post: operations["createImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image task
         * @description Waits until the task is final if `Prefer: wait=N` is sent. Retry-After says when to ask again. The ETag of a final task makes a 304 possible.
         */
        get: operations["getImage"];
        put?: never;
        post?: never;
        /**
         * Delete a final image task
         * @description Deletes the prompt, the inputs and the files at once, or with `after` later. The charge and the Idempotency-Key are kept.
         */
        delete: operations["deleteImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an image task
         * @description Releases the held price once the task is canceled. Repeating the request is not an error.
         */
        post: operations["cancelImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the image of a task
         * @description Answers with the file, or redirects to the storage. Supports Range and If-None-Match.
         */
        get: operations["getImageContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the outputs of an image task again
         * @description To where the order said and under the same names, or to another `deliver_to`. Every output becomes `pending`. Also for a task that was ordered without `deliver_to`.
         */
        post: operations["redeliverImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the changes of an image task
         * @description Server-sent events: the task at once, then at each change, until it is final. Needs the API key, or the signed URL in `urls.events` of the task.
         */
        get: operations["streamImageEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of an image task
         * @description What is certain about a task that has ended: what was ordered, where it was made, what it cost, and the hash of each output, signed with Ed25519. `content` is the signed document for reading; a verifier decodes `jws`. Once the task is erased, input and outputs are null.
         */
        get: operations["getImageReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a delayed deletion back
         * @description Until `delete_at` of a deletion with `after`. The task has everything again that it had. Repeating the request is not an error.
         */
        post: operations["restoreImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/{task_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tags of an image task
         * @description Lists show the tags of their tasks with `include=tags`.
         */
        get: operations["getImageTags"];
        /**
         * Replace the tags of an image task
         * @description A task may have tags in any state until it is deleted or expires. The tags end with it. Repeating the request changes nothing.
         */
        put: operations["setImageTags"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order a follow-up action on an image task
         * @description The parent task must have succeeded; its `available_actions` list the actions, their prices and their fields.
         */
        post: operations["createImageAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that your key can order
         * @description The prices are those of your account. Models that cannot be ordered now are left out.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model and the JSON Schema of its create body
         * @description Accepts the id of a model or one of its aliases.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model_id}/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the examples of a model
         * @description The operator's own live orders that this model made: prompt, price and a small picture, at most 12, newest first. Until the operator shows one there are none.
         */
        get: operations["listModelExamples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calculate the price of an order
         * @description Send the body of a create, or with `action` the body of a follow-up action. The prompt and the media may be left out. Nothing is ordered or charged.
         */
        post: operations["quotePrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calculate the prices of several orders, and which could be made now
         * @description Send up to 200 bodies of creates, such as one order at several models. Each is judged by itself, so one that is not valid refuses no other. Nothing is ordered or charged.
         */
        post: operations["comparePrices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the task of a file by its hash
         * @description Answers with the task if it is this key's, or the account's for a key that may see the whole account; otherwise 404. If the operator allows it, everybody learns that this service made a file and when, also without a key. A file that was changed, and one whose task was erased, is not found.
         */
        get: operations["findOrigin"];
        put?: never;
        /**
         * Find the task of a file
         * @description The same for the file itself, which is hashed as it arrives and not stored.
         */
        post: operations["findOriginOfFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of your key
         * @description Newest first, and how each was answered: no queries, bodies or headers are kept. By default successful reads are left out. An entry appears about a second after the answer. Page with `next_after`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the share links of your key
         * @description Those that work, newest first. Page with `after`, the share_id of the last one of the page before.
         */
        get: operations["listShares"];
        put?: never;
        /**
         * Make a link that shows results
         * @description The link works without a key until it expires, is revoked, or its tasks or key end. It shows the image or video, or those of a list in `task_ids`, and the prompts only if `show_prompt` is true. The list is fixed; an erased task disappears from it.
         */
        post: operations["createShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shares/{share_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a share link
         * @description Answers with its URLs again, as long as the link works.
         */
        get: operations["getShare"];
        put?: never;
        post?: never;
        /**
         * Revoke a share link
         * @description It stops working at once. Files that were saved before stay where they are.
         */
        delete: operations["deleteShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your tags
         * @description By name, each with the number of its tasks. Page with `after`, the last tag of the page before. A client token gets the tags of its end user.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the video tasks of your key
         * @description Newest first. Page with `after`, the task_id of the last task of the page before. With `search`, only tasks with these words in their prompt or model_id; page with `next_after`.
         */
        get: operations["listVideos"];
        put?: never;
        /**
         * Order a video
         * @description Creates a task and holds its price. The answer does not wait for the video unless `Prefer: wait=N` is sent. Send an Idempotency-Key to repeat the request without a second charge.
         */
        post: operations["createVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a video task
         * @description Waits until the task is final if `Prefer: wait=N` is sent. Retry-After says when to ask again. The ETag of a final task makes a 304 possible.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        /**
         * Delete a final video task
         * @description Deletes the prompt, the inputs and the files at once, or with `after` later. The charge and the Idempotency-Key are kept.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a video task
         * @description Releases the held price once the task is canceled. Repeating the request is not an error.
         */
        post: operations["cancelVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the video of a task
         * @description Answers with the file, or redirects to the storage. Supports Range and If-None-Match.
         */
        get: operations["getVideoContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the outputs of a video task again
         * @description To where the order said and under the same names, or to another `deliver_to`. Every output becomes `pending`. Also for a task that was ordered without `deliver_to`.
         */
        post: operations["redeliverVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the changes of a video task
         * @description Server-sent events: the task at once, then at each change, until it is final. Needs the API key, or the signed URL in `urls.events` of the task.
         */
        get: operations["streamVideoEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of a video task
         * @description What is certain about a task that has ended: what was ordered, where it was made, what it cost, and the hash of each output, signed with Ed25519. `content` is the signed document for reading; a verifier decodes `jws`. Once the task is erased, input and outputs are null.
         */
        get: operations["getVideoReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a delayed deletion back
         * @description Until `delete_at` of a deletion with `after`. The task has everything again that it had. Repeating the request is not an error.
         */
        post: operations["restoreVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{task_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tags of a video task
         * @description Lists show the tags of their tasks with `include=tags`.
         */
        get: operations["getVideoTags"];
        /**
         * Replace the tags of a video task
         * @description A task may have tags in any state until it is deleted or expires. The tags end with it. Repeating the request changes nothing.
         */
        put: operations["setVideoTags"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    batchEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All tasks of a batch became final
         * @description Sent to `webhook_url` of the order or batch, or to the default webhook URL. Verify the signature: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the Base64-decoded part of the secret after `whsec_`. Answer 2xx within 10 seconds; otherwise the request is repeated, up to 8 attempts in all. Events may arrive twice: use `webhook-id` to ignore repetitions.
         */
        post: operations["onBatchEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    taskEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task became final or was refunded
         * @description Sent to `webhook_url` of the order or batch, or to the default webhook URL. Verify the signature: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the Base64-decoded part of the secret after `whsec_`. Answer 2xx within 10 seconds; otherwise the request is repeated, up to 8 attempts in all. Events may arrive twice: use `webhook-id` to ignore repetitions.
         */
        post: operations["onTaskEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The account of the calling key, and the limits of the key. */
        Account: Wire<typeof import('@darkroom-service/contract/account').Account>;
        /**
         * @description How the outputs of an account are marked as made by a machine.
         * @example {
         *       "account_id": "acme",
         *       "setting": "metadata",
         *       "prompt": false
         *     }
         */
        AccountProvenance: {
            account_id: string;
            prompt: boolean;
            /** @description How outputs are marked; null = by the service's own setting. */
            setting: ("off" | "metadata" | "c2pa") | null;
        };
        /** @description An order of somebody in the account. */
        AccountTask: {
            ordered_by: {
                key_id: string;
                /** @description Of the person, or of the key. */
                name: string;
                /** @description Null = an API key ordered it. */
                person_id: string | null;
            };
            task: components["schemas"]["Task"];
        };
        /** @description A follow-up action that can be ordered on a finished image task. */
        ActionOffer: Wire<typeof import('@darkroom-service/contract/task').ActionOffer>;
        /**
         * ActionOrder
         * @description Actions accept further fields: see the parent's available_actions.
         */
        ActionOrder: {
            /** @description One of the parent's available_actions. */
            action: string;
            /** @description Where the outputs are copied to; by default the account's default destination. */
            deliver_to?: {
                /** @description The name of a destination of your account: PUT /v1/destinations/{name}. */
                destination?: string;
                /**
                 * Format: uri
                 * @description A presigned PUT URL for the first output.
                 */
                url?: string;
                /** @description A presigned PUT URL for each output, in their order. */
                urls?: string[];
            } | null;
            /** @description Your own customer. */
            end_user?: string | null;
            /** @description The tile, for actions on a grid. */
            index?: number | null;
            /** @description US dollars. A more expensive order is refused with 409 price_exceeded. */
            max_price?: (string | number) | null;
            /** @description Up to 16 pairs of your own, returned with the task. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Only the parent's model is accepted. */
            model_id?: string | null;
            /** @description An image task of your key that has succeeded, or with wait_for_parent one that is not final. */
            parent_task_id: string;
            /** @description Replaces the parent's prompt. */
            prompt?: string | null;
            /** @description How the task ends. Test keys only. */
            simulate?: {
                /** @description Whether the output explains how the prompt was understood. */
                explain?: boolean;
                /** @enum {unknown} */
                outcome?: "succeeded" | "content_policy" | "upstream_error" | "timeout" | "outcome_unknown" | "stuck" | "late";
                seconds?: number;
            } | null;
            /** @description Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
            wait_for_parent?: boolean | null;
            /** @description URL that is notified when the task is final. */
            webhook_url?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description An account as operators see it. */
        AdminAccount: Wire<typeof import('@darkroom-service/contract/admin').AdminAccount>;
        /** @description The circuit breaker of an upstream. All fields but state are null if it is closed. */
        AdminCircuit: Wire<typeof import('@darkroom-service/contract/engine').AdminCircuit>;
        /**
         * @description An export of what is stored of an account or an end user.
         * @example {
         *       "export_id": "exp_066a7782e0000000000000000w",
         *       "account_id": "acme",
         *       "end_user": "ada",
         *       "requested_at": "2026-11-20T08:00:00.000Z",
         *       "expires_at": "2026-11-27T08:00:00.000Z"
         *     }
         */
        AdminDataExport: {
            account_id: string;
            /** @description Null for the whole account, and once the end user is erased. */
            end_user: string | null;
            /**
             * Format: date-time
             * @description Until then its archives can be downloaded.
             */
            expires_at: string;
            export_id: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            requested_at: string;
        };
        /** @description An engine, its circuits, its limits and its queues. */
        AdminEngine: Wire<typeof import('@darkroom-service/contract/engine').AdminEngine>;
        /** @description The limits of an engine. */
        AdminEngineLimits: Wire<typeof import('@darkroom-service/contract/engine').EngineLimits>;
        /**
         * @description The erasure of what is stored of an account or an end user.
         * @example {
         *       "erasure_id": "era_066a7782e0000000000000000w",
         *       "account_id": "acme",
         *       "end_user": null,
         *       "requested_at": "2026-11-20T08:00:00.000Z",
         *       "end_user_digest": "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA",
         *       "status": "completed",
         *       "orders": 12,
         *       "files": 3,
         *       "waiting": 0,
         *       "uploads": false,
         *       "undecided": 0,
         *       "undecided_uploads": [],
         *       "completed_at": "2026-11-20T08:00:02.000Z"
         *     }
         */
        AdminErasure: {
            account_id: string;
            completed_at: string | null;
            /** @description Null for the whole account, and once the end user is erased. */
            end_user: string | null;
            /** @description Names the end user once it is erased, to whoever knows the name. */
            end_user_digest: string | null;
            erasure_id: string;
            /** @description Uploads that are gone from the storage. */
            files: number;
            /** @description Orders that were erased. */
            orders: number;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            requested_at: string;
            /** @enum {unknown} */
            status: "processing" | "completed";
            /** @description Uploads that name no end user, and that only erased orders used. They are still there. */
            undecided: number;
            /** @description Their ids, at most 100. Delete them, or request the erasure again with uploads: true. */
            undecided_uploads: string[];
            /** @description Whether it takes uploads along that name no end user. */
            uploads: boolean;
            /** @description Orders that it waits for, because an engine has them. */
            waiting: number;
        };
        /** @description An order that failed. */
        AdminFailure: Wire<typeof import('@darkroom-service/contract/admin').AdminFailure>;
        /** @description Failed orders with the same cause, and the latest of them. */
        AdminFailureCause: Wire<typeof import('@darkroom-service/contract/admin').FailureCause>;
        /** AdminInvitation */
        AdminInvitation: {
            /** @description null or left out = to the operators, as operator or owner */
            account_id?: string | null;
            email?: string | null;
            /** @enum {unknown} */
            role: "viewer" | "finance" | "creator" | "manager" | "operator" | "owner";
        };
        /** @description An API key without its secret. */
        AdminKey: Wire<typeof import('@darkroom-service/contract/admin').AdminKey>;
        /** @description An API key and how many tasks it has. */
        AdminKeyWithTasks: Wire<typeof import('@darkroom-service/contract/admin').AdminKeyWithTasks>;
        /** @description Why the last pull ended, since the start of the process. */
        AdminLocalFailure: {
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            at: string;
            message: string;
            /** @description Facts that neither the manifest nor an earlier pull names. Pull again with `accept_unverified` to use what the hub says. */
            unverified: {
                facts: string[];
                file: string;
            }[];
        };
        /** @description A model that can be pulled to this machine, or is. */
        AdminLocalModel: {
            /** @description The build that is pulled with it unless you name another one; of a pulled model its own. */
            build: string | null;
            /** @description Builds of its engine for this platform. */
            builds: string[];
            /** @description Of its files without the engine. */
            bytes: number | null;
            failure: components["schemas"]["AdminLocalFailure"] | null;
            /** @description Whether `bytes` is exact. */
            is_exact: boolean;
            licence: {
                id: string;
                /** @description Nobody has accepted it here yet, and somebody must. */
                must_be_accepted: boolean;
            };
            /** @description The main memory that it needs, if it is known. */
            memory_bytes: number | null;
            /** @description By which orders name it once it is pulled. */
            model_ids: string[];
            name: string;
            pull: components["schemas"]["AdminLocalPull"] | null;
            pulled_at: string | null;
            server: components["schemas"]["AdminLocalServer"] | null;
            /** @enum {unknown} */
            state: "not_pulled" | "pulling" | "pulled";
            /** @description How long one picture takes here, and how that is known. */
            time: string | null;
            title: string;
            /** @enum {unknown} */
            type: "image" | "video";
        };
        /** @description What this machine offers and could offer. */
        AdminLocalModels: {
            /** @description False if DARKROOM_ENGINES excludes the engine `local`. */
            is_on: boolean;
            items: components["schemas"]["AdminLocalModel"][];
            machine: {
                /** @description On the disk of the models. */
                free_bytes: number | null;
                memory_bytes: number;
                network: components["schemas"]["AdminLocalNetwork"];
                platform: string;
            };
            own_servers: components["schemas"]["AdminOwnServer"][];
        };
        /** @description Whether servers can reach anything but themselves, unless their file gives them an open network. */
        AdminLocalNetwork: {
            /** @description What closes it, or why it is not closed. */
            reason: string;
            /**
             * @description `unavailable`: DARKROOM_LOCAL_NETWORK is `closed`, the system cannot do it, and no server is started.
             * @enum {unknown}
             */
            state: "closed" | "open" | "unavailable";
        };
        /** @description A download that runs now. */
        AdminLocalPull: {
            bytes_per_second: number | null;
            done_bytes: number;
            /** @description The file that it works on. */
            file: string | null;
            seconds_left: number | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            started_at: string;
            /** @description Null while it plans. */
            total_bytes: number | null;
            /** @enum {unknown} */
            work: "planning" | "downloading" | "copying" | "checking";
        };
        /** @description A server that Darkroom starts when an order needs it. */
        AdminLocalServer: {
            /** @description The last lines of its output. */
            log: string[];
            /** @description Of all its processes, if the system tells it. */
            memory_bytes: number | null;
            /** @description Whether it can reach anything but itself; null while it does not run. */
            network: ("closed" | "open") | null;
            /** @description Why it ended last, or cannot be used. */
            reason: string | null;
            started_at: string | null;
            /** @enum {unknown} */
            state: "stopped" | "starting" | "ready" | "busy" | "stopping" | "waiting" | "unavailable";
            /** @description Steps of the running order. */
            step: {
                done: number;
                total: number;
            } | null;
        };
        /** @description A model, its routes, and why it is not available. */
        AdminModel: Wire<typeof import('@darkroom-service/contract/admin').AdminModel>;
        /**
         * @description The same with the order that it shows.
         * @example {
         *       "example_id": "exa_01kafx5t2hqm8w4v7z1c9d3e6f",
         *       "model_id": "flux-2-pro",
         *       "type": "image",
         *       "prompt": "a lighthouse in a storm",
         *       "amount": "0.04",
         *       "currency": "USD",
         *       "picture_url": "https://darkroom.example/examples/exa_01kafx5t2hqm8w4v7z1c9d3e6f",
         *       "width": 1024,
         *       "height": 1024,
         *       "ordered_at": "2026-11-20T09:30:00.000Z",
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "account_id": "default"
         *     }
         */
        AdminModelExample: {
            account_id: string;
            /**
             * @description US dollars that the order was charged.
             * @example 0.04
             */
            amount: string;
            /** @enum {string} */
            currency: "USD";
            example_id: string;
            /** @description Pixels of the output. */
            height: number | null;
            model_id: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            ordered_at: string;
            /**
             * Format: uri
             * @description A WebP of at most 512 pixels, of a video its first frame. It needs no key, and stays after the order expires.
             */
            picture_url: string;
            /** @description Null if the order had none. */
            prompt: string | null;
            task_id: string;
            /** @enum {unknown} */
            type: "image" | "video";
            /** @description Pixels of the output. */
            width: number | null;
        };
        /** @description A server of the operator's file. */
        AdminOwnServer: {
            api: string;
            /** @description The main memory that it needs, if the file says it. */
            memory_bytes: number | null;
            model_ids: string[];
            name: string;
            server: components["schemas"]["AdminLocalServer"] | null;
        };
        /** @description The queue of an engine in one mode. */
        AdminQueue: Wire<typeof import('@darkroom-service/contract/engine').AdminQueue>;
        /** @description A model whose files were removed. */
        AdminRemovedLocalModel: {
            /** @description How many were freed. */
            bytes: number;
            name: string;
            removed: boolean;
        };
        /** @description The open circuit of one model of an upstream. */
        AdminRouteCircuit: Wire<typeof import('@darkroom-service/contract/engine').RouteCircuit>;
        /** @description Whether an engine or model is paused. */
        AdminSwitch: Wire<typeof import('@darkroom-service/contract/engine').Switched>;
        /** @description A task as operators see it: no prompt, no files. */
        AdminTask: Wire<typeof import('@darkroom-service/contract/admin-task').AdminTask>;
        /** @description A condition that operators must know of, and who was told. */
        Alert: {
            /** @description Which operator has taken it on: it is not repeated. Null = nobody has. */
            acknowledged: {
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                at: string;
                by: string;
                by_name: string | null;
            } | null;
            /** @description What to do; null once it has ended. */
            action: string | null;
            alert_id: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            began_at: string;
            ended_at: string | null;
            /** @enum {unknown} */
            kind: "circuit_open" | "upstream_credit" | "upstream_balance_low" | "unknown_outcomes" | "oldest_waiting" | "margin_below_zero" | "below_cost" | "unknown_cost" | "model_ends" | "disk_nearly_full" | "storage_unavailable" | "spool_unavailable" | "database_unavailable" | "standby_behind" | "standby_asynchronous" | "process_silent" | "process_apart" | "held" | "sweep_stopped" | "watch_failed";
            /** @description The last message; empty if no webhook is set up. */
            messages: {
                attempts: number;
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                created_at: string;
                delivered_at: string | null;
                /** @description Why the last attempt failed. */
                error: string | null;
                /** @description The host of the webhook; null if an earlier version wrote the message. */
                receiver: string | null;
                /**
                 * @description pending: another attempt follows.
                 * @enum {unknown}
                 */
                status: "pending" | "delivered" | "failed";
                /** @enum {unknown} */
                type: "alert.began" | "alert.continues" | "alert.ended";
            }[];
            /**
             * Format: date-time
             * @description When it was last observed.
             */
            seen_at: string;
            /** @description Who wants no messages about the condition, and until when; null = messages are sent. */
            silenced: {
                by: string;
                by_name: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                until: string;
            } | null;
            /** @enum {unknown} */
            state: "open" | "ended";
            /** @description An engine, an upstream model of it, a host, a bucket, or what could not be checked; null = the whole service. */
            subject: string | null;
            /** @description One sentence with the figures, as last observed. */
            summary: string;
            /**
             * Format: uri
             * @description The page of the console that shows it.
             */
            url: string;
        };
        /** @description The process runs. */
        Alive: Wire<typeof import('@darkroom-service/contract/error').Alive>;
        /** @description An entry of the audit log. */
        AuditAct: Wire<typeof import('@darkroom-service/contract/audit').AuditAct>;
        /**
         * @description Orders that were placed together, at one price.
         * @example {
         *       "batch_id": "bat_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "status": "partial",
         *       "orders": 500,
         *       "counts": {
         *         "queued": 0,
         *         "processing": 0,
         *         "succeeded": 499,
         *         "failed": 1,
         *         "canceled": 0
         *       },
         *       "cost": {
         *         "quoted": "5.00",
         *         "charged": "4.99",
         *         "held": "0.00",
         *         "currency": "USD"
         *       },
         *       "max_parallel": 10,
         *       "metadata": {
         *         "catalogue": "spring"
         *       },
         *       "mode": "live",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "cancel_requested_at": null,
         *       "completed_at": "2026-11-20T09:30:04.210Z",
         *       "urls": {
         *         "self": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd",
         *         "tasks": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/tasks",
         *         "results": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/results",
         *         "events": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/events",
         *         "cancel": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/cancel"
         *       }
         *     }
         */
        Batch: Wire<typeof import('@darkroom-service/contract/batch').Batch>;
        /** @description One order of a batch, or several that vary. */
        BatchEntry: Wire<typeof import('@darkroom-service/contract/batch').BatchEntry>;
        /**
         * BatchOrder
         * @description At most 10,000 orders. As application/jsonl: one order per line, the other fields in the query.
         */
        BatchOrder: {
            /** @description Where outputs of orders without deliver_to are copied to: a destination. */
            deliver_to?: {
                /** @description The name of a destination of your account: PUT /v1/destinations/{name}. */
                destination?: string;
                /**
                 * Format: uri
                 * @description A presigned PUT URL for the first output.
                 */
                url?: string;
                /** @description A presigned PUT URL for each output, in their order. */
                urls?: string[];
            } | null;
            /** @description How many of its tasks may run at once. */
            max_parallel?: number | null;
            /** @description US dollars for all orders together. A more expensive batch is refused with 409 price_exceeded. */
            max_price?: (string | number) | null;
            /** @description Up to 16 pairs of your own, returned with the batch. */
            metadata?: {
                [key: string]: string;
            } | null;
            orders: components["schemas"]["BatchEntry"][];
            /** @description URL that is notified once, when all tasks are final. */
            webhook_url?: string | null;
        };
        /** @description What a batch would cost. `exact` as in a quote of one order. */
        BatchQuote: Wire<typeof import('@darkroom-service/contract/batch').BatchQuote>;
        /**
         * @description What is certain about a batch that has ended. Each of its tasks has a receipt with the details.
         * @example {
         *       "issuer": "https://darkroom.example",
         *       "account_id": "default",
         *       "mode": "live",
         *       "batch_id": "bat_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "status": "succeeded",
         *       "orders": 1,
         *       "cost": {
         *         "quoted": "0.04",
         *         "charged": "0.04",
         *         "currency": "USD"
         *       },
         *       "tasks": [
         *         {
         *           "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *           "status": "succeeded",
         *           "charged": "0.04",
         *           "sha256": [
         *             "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
         *           ]
         *         }
         *       ],
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "completed_at": "2026-11-20T09:30:02.000Z"
         *     }
         */
        BatchReceipt: {
            account_id: string;
            batch_id: string;
            completed_at: string | null;
            cost: {
                charged: string;
                /** @enum {string} */
                currency: "USD";
                quoted: string;
            };
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: uri
             * @description The public address of the service.
             */
            issuer: string;
            /** @enum {unknown} */
            mode: "live" | "test";
            orders: number;
            /** @enum {unknown} */
            status: "processing" | "succeeded" | "failed" | "partial" | "canceled";
            /** @description In the order of their ids. Tasks that were removed because of their age are left out. */
            tasks: {
                charged: string;
                /** @description Of each output; null once they were erased. */
                sha256: string[] | null;
                /** @enum {unknown} */
                status: "queued" | "processing" | "succeeded" | "failed" | "canceled";
                task_id: string;
            }[];
        };
        /**
         * @description The body of a webhook request about a batch.
         * @example {
         *       "type": "batch.partial",
         *       "timestamp": "2026-11-20T09:30:04.210Z",
         *       "data": {
         *         "batch_id": "bat_01kafx2r5gq3v8m1t0z6y4n7wd",
         *         "status": "partial",
         *         "orders": 500,
         *         "counts": {
         *           "queued": 0,
         *           "processing": 0,
         *           "succeeded": 499,
         *           "failed": 1,
         *           "canceled": 0
         *         },
         *         "cost": {
         *           "quoted": "5.00",
         *           "charged": "4.99",
         *           "held": "0.00",
         *           "currency": "USD"
         *         },
         *         "max_parallel": 10,
         *         "metadata": {
         *           "catalogue": "spring"
         *         },
         *         "mode": "live",
         *         "created_at": "2026-11-20T09:30:00.000Z",
         *         "cancel_requested_at": null,
         *         "completed_at": "2026-11-20T09:30:04.210Z",
         *         "urls": {
         *           "self": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd",
         *           "tasks": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/tasks",
         *           "results": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/results",
         *           "events": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/events",
         *           "cancel": "https://darkroom.example/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd/cancel"
         *         }
         *       }
         *     }
         */
        BatchWebhookEvent: Wire<typeof import('@darkroom-service/contract/webhook').BatchWebhookEvent>;
        /** @description The catalog that is now in force. */
        CatalogReload: Wire<typeof import('@darkroom-service/contract/admin').Reloaded>;
        /**
         * @description A short-lived token for one end user of the key.
         * @example {
         *       "token": "dk_client_eyJrZXlJZCI6ImtleV8wMWth….q8Zt",
         *       "expires_at": "2026-11-20T09:30:04.210Z"
         *     }
         */
        ClientToken: Wire<typeof import('@darkroom-service/contract/client-token').ClientToken>;
        /** @description The circuit after it was closed. */
        ClosedCircuit: Wire<typeof import('@darkroom-service/contract/engine').ClosedCircuit>;
        /** @description What a task costs. */
        Cost: Wire<typeof import('@darkroom-service/contract/task').Cost>;
        /** @description What a live order earned and cost. */
        CostOrder: Wire<typeof import('@darkroom-service/contract/cost').CostOrder>;
        /** @description Live orders that ended within a period and whose cost is told or expected. */
        CostReport: Wire<typeof import('@darkroom-service/contract/cost').CostReport>;
        /** @description Orders of one group, what they earned and what they cost. Only the fields named in group_by are present. */
        CostRow: Wire<typeof import('@darkroom-service/contract/cost').CostRow>;
        /**
         * @description What is left of a deleted task.
         * @example {
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "status": "succeeded",
         *       "deleted_at": "2026-11-20T09:30:04.210Z"
         *     }
         */
        DeletedTask: Wire<typeof import('@darkroom-service/contract/task').DeletedTask>;
        /**
         * @description A bucket of the account that outputs can be delivered to.
         * @example {
         *       "name": "archive",
         *       "bucket": "pictures",
         *       "endpoint": null,
         *       "region": "eu-central-1",
         *       "path": "{date}/{task_id}-{n}.{ext}",
         *       "last_four": "MPLE",
         *       "default": true,
         *       "set_by": "key_01kafx1a2bq4w6r8y0s3h5b7n9",
         *       "set_at": "2026-11-20T09:30:00.000Z"
         *     }
         */
        Destination: {
            bucket: string;
            default: boolean;
            /** @description Null = Amazon S3. */
            endpoint: string | null;
            /** @description The last four characters of access_key_id. */
            last_four: string;
            name: string;
            path: string;
            region: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            set_at: string;
            /** @description The key_id of the API key that set it. */
            set_by: string;
        };
        /**
         * @description The confirmation that a destination was removed.
         * @example {
         *       "name": "archive",
         *       "removed_at": "2026-11-20T09:30:00.000Z"
         *     }
         */
        DestinationRemoval: {
            name: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            removed_at: string;
        };
        /**
         * @description A customer of yours: its limits and what it spends with this API key.
         * @example {
         *       "end_user": "customer-17",
         *       "mode": "live",
         *       "currency": "USD",
         *       "limits": {
         *         "day": "1.00",
         *         "month": "20.00",
         *         "total": null
         *       },
         *       "windows": {
         *         "day": {
         *           "limit": "1.00",
         *           "charged": "0.04",
         *           "held": "0.01",
         *           "available": "0.95",
         *           "resets_at": "2026-11-21T00:00:00.000Z"
         *         },
         *         "month": {
         *           "limit": "20.00",
         *           "charged": "3.20",
         *           "held": "0.01",
         *           "available": "16.79",
         *           "resets_at": "2026-12-01T00:00:00.000Z"
         *         },
         *         "total": {
         *           "limit": null,
         *           "charged": "41.00",
         *           "held": "0.01",
         *           "available": null,
         *           "resets_at": null
         *         }
         *       }
         *     }
         */
        EndUser: Wire<typeof import('@darkroom-service/contract/end-user').EndUser>;
        /** EndUserChange */
        EndUserChange: {
            limits: {
                /** @description Null = no limit; left out = the key's limit. */
                day?: string | null;
                /** @description Null = no limit; left out = the key's limit. */
                month?: string | null;
                /** @description Null = no limit; left out = the key's limit. */
                total?: string | null;
            };
        };
        /**
         * @description The body of every failure.
         * @example {
         *       "error": {
         *         "status": 400,
         *         "code": "unsupported_value",
         *         "message": "resolution must be one of \"0.5K\", \"1K\", \"2K\", \"4K\"; found \"9K\".",
         *         "param": "resolution",
         *         "details": [
         *           {
         *             "param": "resolution",
         *             "code": "unsupported_value",
         *             "message": "resolution must be one of \"0.5K\", \"1K\", \"2K\", \"4K\"; found \"9K\"."
         *           }
         *         ],
         *         "retryable": false,
         *         "request_id": "req_7d1f0c5be2a94e63000001",
         *         "docs_url": "https://darkroom.example/docs#error-unsupported_value"
         *       },
         *       "timestamp": "2026-11-20T09:30:00.000Z"
         *     }
         */
        Error: Wire<typeof import('@darkroom-service/contract/error').ErrorBody>;
        /**
         * @description An uploaded file. Name it as upload:<file_id> in orders.
         * @example {
         *       "file_id": "file_01kafx3c8dpv6r2y9s5h4b7n0k",
         *       "url": "https://darkroom.example/files/uploads/0k/file_01kafx3c8dpv6r2y9s5h4b7n0k?expires=1763726400000&signature=Hw",
         *       "url_expires_at": "2026-12-20T09:30:00.000Z",
         *       "content_type": "image/png",
         *       "bytes": 120394,
         *       "width": 1024,
         *       "height": 768,
         *       "duration_seconds": null,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "end_user": null,
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "expires_at": "2026-12-20T09:30:00.000Z"
         *     }
         */
        File: Wire<typeof import('@darkroom-service/contract/account').File>;
        /** @description The confirmation that a file was deleted. */
        FileDeletion: Wire<typeof import('@darkroom-service/contract/account').FileDeletion>;
        /** @description The capabilities of the service and every check. */
        Health: Wire<typeof import('@darkroom-service/contract/error').Health>;
        /**
         * ImageOrder
         * @description Models accept further fields: see input_schema of GET /v1/models/{model_id}.
         */
        ImageOrder: {
            /** @description Width to height, such as 16:9: one of the model's values. */
            aspect_ratio?: string | null;
            /** @description transparent, opaque or auto. */
            background?: string | null;
            /** @description Where the outputs are copied to; by default the account's default destination. */
            deliver_to?: {
                /** @description The name of a destination of your account: PUT /v1/destinations/{name}. */
                destination?: string;
                /**
                 * Format: uri
                 * @description A presigned PUT URL for the first output.
                 */
                url?: string;
                /** @description A presigned PUT URL for each output, in their order. */
                urls?: string[];
            } | null;
            /** @description Your own customer. */
            end_user?: string | null;
            /** @description How closely the output follows the prompt. */
            guidance_scale?: number | null;
            /** @description Reference images. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            image_urls?: string[] | null;
            /** @description The area to change, in white. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            mask_url?: string | null;
            /** @description US dollars. A more expensive order is refused with 409 price_exceeded. */
            max_price?: (string | number) | null;
            /** @description Up to 16 pairs of your own, returned with the task. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The id of a model. GET /v1/models lists the models that your key can order. */
            model_id: string;
            /** @description What the output should not show. */
            negative_prompt?: string | null;
            /** @description Always 1: one task makes one output. */
            num_images?: number | null;
            /** @description The quality of a jpeg or webp file, in percent. */
            output_compression?: number | null;
            /** @description The file type: png, jpeg or webp. */
            output_format?: string | null;
            /** @description The description of the output. Some models accept a reference instead. */
            prompt?: string | null;
            /** @description Whether the vendor rewrites the prompt. */
            prompt_enhance?: boolean | null;
            /** @description One of the model's quality levels. */
            quality?: string | null;
            /** @description The size class, such as 1K or 720p: one of the model's values. */
            resolution?: string | null;
            /** @description The same seed with the same request gives a similar output. */
            seed?: number | null;
            /** @description How the task ends. Test keys only. */
            simulate?: {
                /** @description Whether the output explains how the prompt was understood. */
                explain?: boolean;
                /** @enum {unknown} */
                outcome?: "succeeded" | "content_policy" | "upstream_error" | "timeout" | "outcome_unknown" | "stuck" | "late";
                seconds?: number;
            } | null;
            /** @description The exact size as WIDTHxHEIGHT in pixels, instead of resolution and aspect_ratio. */
            size?: string | null;
            /** @description One of the model's speeds. batch costs less and is made within 24 hours. */
            speed?: string | null;
            /** @description The number of sampling steps. */
            steps?: number | null;
            /** @description How far the output may differ from the reference, from 0 to 1. */
            strength?: number | null;
            /** @description One of the model's styles. */
            style?: string | null;
            /** @description Images whose style is used. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            style_image_urls?: string[] | null;
            /** @description Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
            wait_for_parent?: boolean | null;
            /** @description Whether the vendor marks the output. */
            watermark?: boolean | null;
            /** @description URL that is notified when the task is final. */
            webhook_url?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A page of image tasks, newest first. */
        ImageTaskPage: Wire<typeof import('@darkroom-service/contract/task').ImagePage>;
        /** @description An invitation that nobody has accepted yet. */
        Invitation: {
            /** @description Null = to the operators. */
            account_id: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            /** @description Only a person with this verified address can accept it; null = whoever has the link. */
            email: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            expires_at: string;
            invitation_id: string;
            /** @description A person_id, a key_id, or `command line`. */
            invited_by: string;
            /** @enum {unknown} */
            role: "viewer" | "finance" | "creator" | "manager" | "operator" | "owner";
        };
        /** @description A new invitation with its link. */
        IssuedInvitation: {
            /** @description Null = to the operators. */
            account_id: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            /** @description Only a person with this verified address can accept it; null = whoever has the link. */
            email: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            expires_at: string;
            invitation_id: string;
            /** @description A person_id, a key_id, or `command line`. */
            invited_by: string;
            /** @enum {unknown} */
            role: "viewer" | "finance" | "creator" | "manager" | "operator" | "owner";
            /** @description The link that accepts it, once. It is shown once: null in the answer to a repeated request. */
            url: string | null;
        };
        /** @description An API key with its new secret. */
        IssuedKey: Wire<typeof import('@darkroom-service/contract/admin').IssuedKey>;
        /** @description What a key spends, and when it was last used. */
        KeyUsage: Wire<typeof import('@darkroom-service/contract/admin').KeyUsage>;
        /**
         * @description A movement of money.
         * @example {
         *       "entry_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd_charge",
         *       "kind": "charge",
         *       "amount": "-0.01",
         *       "currency": "USD",
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "batch_id": null,
         *       "note": null,
         *       "created_at": "2026-11-20T09:30:04.210Z"
         *     }
         */
        LedgerEntry: Wire<typeof import('@darkroom-service/contract/account').LedgerEntry>;
        /** @description A request that a key sent, and how it was answered. */
        LoggedRequest: Wire<typeof import('@darkroom-service/contract/logged-request').LoggedRequest>;
        /** @description A person who belongs to the account. */
        Member: {
            /** @description Whether a group of the provider gives the role, too: it stays then. */
            by_group: boolean;
            email: string | null;
            /** @description What the person may spend with live orders, per UTC day, UTC month and in total. */
            limits: {
                /** @description Null = no limit. */
                day?: string | null;
                /** @description Null = no limit. */
                month?: string | null;
                /** @description Null = no limit. */
                total?: string | null;
            };
            name: string;
            person_id: string;
            /** @enum {unknown} */
            role: "viewer" | "finance" | "creator" | "manager";
            /**
             * Format: date-time
             * @description When the person last signed in.
             */
            signed_in_at: string;
            /** @description UTC windows. */
            windows: {
                day: {
                    /** @description What can still be spent; null = no limit. */
                    available: string | null;
                    /** @description US dollars charged for orders placed in this window. */
                    charged: string;
                    /** @description US dollars held for orders placed in this window that are not final. */
                    held: string;
                    /** @description The limit in force: the end user's own, or the key's; null = none. */
                    limit: string | null;
                    /** @description When the window ends and spending starts again at 0; null = never. */
                    resets_at: string | null;
                };
                month: {
                    /** @description What can still be spent; null = no limit. */
                    available: string | null;
                    /** @description US dollars charged for orders placed in this window. */
                    charged: string;
                    /** @description US dollars held for orders placed in this window that are not final. */
                    held: string;
                    /** @description The limit in force: the end user's own, or the key's; null = none. */
                    limit: string | null;
                    /** @description When the window ends and spending starts again at 0; null = never. */
                    resets_at: string | null;
                };
                total: {
                    /** @description What can still be spent; null = no limit. */
                    available: string | null;
                    /** @description US dollars charged for orders placed in this window. */
                    charged: string;
                    /** @description US dollars held for orders placed in this window that are not final. */
                    held: string;
                    /** @description The limit in force: the end user's own, or the key's; null = none. */
                    limit: string | null;
                    /** @description When the window ends and spending starts again at 0; null = never. */
                    resets_at: string | null;
                };
            };
        };
        /** MemberChange */
        MemberChange: {
            limits?: {
                /** @description Null = no limit; left out = the key's limit. */
                day?: string | null;
                /** @description Null = no limit; left out = the key's limit. */
                month?: string | null;
                /** @description Null = no limit; left out = the key's limit. */
                total?: string | null;
            };
            /** @enum {unknown} */
            role?: "viewer" | "finance" | "creator" | "manager";
        };
        /** @description A person who no longer belongs to the account. */
        MemberDeletion: {
            /** @description The API keys whose secret the person was shown, by the audit log: those that worked until now. They go on working, unless `revoke_keys` ended them. */
            keys: {
                account_id: string;
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                created_at: string;
                key_id: string;
                /** @enum {unknown} */
                mode: "live" | "test" | "admin";
                name: string;
                /** @description Null = it works. */
                revoked_at: string | null;
            }[];
            person_id: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            removed_at: string;
        };
        /** @description A model: its fields, limits, prices and availability. */
        Model: Wire<typeof import('@darkroom-service/contract/model').Model>;
        /**
         * @description An order that the operator shows as an example of its model.
         * @example {
         *       "example_id": "exa_01kafx5t2hqm8w4v7z1c9d3e6f",
         *       "model_id": "flux-2-pro",
         *       "type": "image",
         *       "prompt": "a lighthouse in a storm",
         *       "amount": "0.04",
         *       "currency": "USD",
         *       "picture_url": "https://darkroom.example/examples/exa_01kafx5t2hqm8w4v7z1c9d3e6f",
         *       "width": 1024,
         *       "height": 1024,
         *       "ordered_at": "2026-11-20T09:30:00.000Z"
         *     }
         */
        ModelExample: {
            /**
             * @description US dollars that the order was charged.
             * @example 0.04
             */
            amount: string;
            /** @enum {string} */
            currency: "USD";
            example_id: string;
            /** @description Pixels of the output. */
            height: number | null;
            model_id: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            ordered_at: string;
            /**
             * Format: uri
             * @description A WebP of at most 512 pixels, of a video its first frame. It needs no key, and stays after the order expires.
             */
            picture_url: string;
            /** @description Null if the order had none. */
            prompt: string | null;
            /** @enum {unknown} */
            type: "image" | "video";
            /** @description Pixels of the output. */
            width: number | null;
        };
        /** @description The confirmation that an order is no longer an example. */
        ModelExampleDeletion: {
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            deleted_at: string;
            task_id: string;
        };
        /** @description A model with the JSON Schema of its create body. */
        ModelWithSchema: Wire<typeof import('@darkroom-service/contract/model').ModelWithSchema>;
        /** NewAccountKey */
        NewAccountKey: {
            account_view?: boolean;
            approve_over?: string | null;
            /** @description 0 = no limit */
            concurrency?: number;
            /** @description for each end user that has no limit of its own */
            end_user_limits?: {
                day?: string | null;
                month?: string | null;
                total?: string | null;
            };
            /** @description null = never */
            expires_at?: string | null;
            /** @enum {unknown} */
            mode: "live" | "test";
            /** @description patterns such as 'flux-*', at least one; null = every model */
            models?: string[] | null;
            name?: string;
            /** @description 0 = no limit */
            queue?: number;
            /** @description 0 = no limit */
            read_rpm?: number;
            /** @description 0 = no limit */
            rpm?: number;
            spend_limits?: {
                day?: string | null;
                month?: string | null;
                total?: string | null;
            };
        };
        /** NewAccountProvenance */
        NewAccountProvenance: {
            /** @description true: the mark also contains the prompt */
            prompt: boolean;
            /** @description null = the service's own setting */
            setting: ("off" | "metadata" | "c2pa") | null;
        };
        /** NewClientToken */
        NewClientToken: {
            /** @description Your own customer, as in end_user of an order. */
            end_user: string;
            /**
             * @description Seconds.
             * @default 900
             */
            expires_in: number;
            /** @description US dollars that one order may cost at most. */
            max_price?: string | null;
            /** @description Patterns such as 'flux-*', within what the key can order. An empty list allows none; left out = every model of the key. */
            models?: string[];
            /** @description Origins whose pages may use the token. An empty list allows none; left out = all. Not a security boundary. */
            origins?: string[];
            /** @description Creates per minute of the end user; 0 = no limit. */
            rpm?: number;
        };
        /** NewDataRequest */
        NewDataRequest: {
            account_id: string;
            /** @description one end user of all keys of the account */
            end_user?: string;
        };
        /** NewDestination */
        NewDestination: {
            access_key_id: string;
            bucket: string;
            /** @description Whether live orders without deliver_to go there. */
            default?: boolean;
            /** @description The origin of an S3-compatible server, such as https://s3.example.com; by default Amazon S3. */
            endpoint?: string | null;
            /** @description The names of the objects, with {task_id} and {n}, the number of the output; also {date} and {ext}. By default {date}/{task_id}-{n}.{ext}. */
            path?: string;
            /** @description Required for Amazon S3. */
            region?: string | null;
            /** @description It needs the right to put objects only. It is stored sealed and never answered. */
            secret_access_key: string;
        };
        /** NewErasure */
        NewErasure: {
            account_id: string;
            /** @description one end user of all keys of the account */
            end_user?: string;
            /** @description true = uploads that name no end user go too, if only orders of this end user used them */
            uploads?: boolean;
        };
        /** NewInvitation */
        NewInvitation: {
            email?: string | null;
            /** @enum {unknown} */
            role: "viewer" | "finance" | "creator" | "manager";
        };
        /** NewShare */
        NewShare: {
            /**
             * @description Seconds. The link ends earlier if all its files expire earlier.
             * @default 604800
             */
            expires_in: number;
            /**
             * @description Whether the link shows the prompt, too.
             * @default false
             */
            show_prompt: boolean;
            /** @description A task that has succeeded. */
            task_id?: string;
            /** @description Instead of `task_id`: tasks that have succeeded, each once, in the order to show them in. */
            task_ids?: string[];
        } & (unknown | unknown);
        /** NewTaskTags */
        NewTaskTags: {
            /** @description All tags that the task shall have, at most 20; none removes them all */
            tags: string[];
        };
        /** NewUpstreamKey */
        NewUpstreamKey: {
            /** @description The upstream's key, as its console shows it. It is stored sealed and never answered. */
            secret: string;
        };
        /** @description What an operator does about many orders, and how far it is. */
        OrderDeed: Wire<typeof import('@darkroom-service/contract/admin-task').OrderDeed>;
        /** @description How many open orders each deed would change. */
        OrderDeedCounts: Wire<typeof import('@darkroom-service/contract/admin-task').OrderDeedCounts>;
        /**
         * @description Where a file comes from that this service has made.
         * @example {
         *       "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
         *       "type": "image",
         *       "made_at": "2026-11-20T09:30:02.000Z",
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd"
         *     }
         */
        Origin: {
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            made_at: string;
            /**
             * @description the SHA-256 of the file, in lowercase hex
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            sha256: string;
            /** @description The first task with this output; null if it belongs to somebody else. */
            task_id: string | null;
            /** @enum {unknown} */
            type: "image" | "video";
        };
        /**
         * @description A file that a task produced.
         * @example {
         *       "url": "https://darkroom.example/files/tasks/01kafx2/img_01kafx2r5gq3v8m1t0z6y4n7wd-1-0.png?expires=1763726400000&signature=q8",
         *       "url_expires_at": "2026-12-20T09:30:00.000Z",
         *       "content_url": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd/content",
         *       "content_type": "image/png",
         *       "bytes": 482113,
         *       "width": 1024,
         *       "height": 1024,
         *       "duration_seconds": null,
         *       "fps": null,
         *       "has_audio": null,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "thumbnail_url": "https://darkroom.example/files/tasks/01kafx2/img_01kafx2r5gq3v8m1t0z6y4n7wd-1-0-thumbnail.webp?expires=1763726400000&signature=x1",
         *       "preview_url": null,
         *       "provenance": {
         *         "state": "marked",
         *         "standard": "metadata"
         *       },
         *       "tiles": null,
         *       "seed": 7,
         *       "revised_prompt": null
         *     }
         */
        Output: Wire<typeof import('@darkroom-service/contract/task').Output>;
        /**
         * @description The copy of an output that deliver_to asked for.
         * @example {
         *       "output": 1,
         *       "state": "delivered",
         *       "destination": "archive",
         *       "key": "2026-11-20/img_01kafx2r5gq3v8m1t0z6y4n7wd-1.png",
         *       "url": null,
         *       "attempts": 1,
         *       "reason": null,
         *       "etag": "\"5d41402abc4b2a76b9719d911017c592\"",
         *       "delivered_at": "2026-11-20T09:30:04.210Z"
         *     }
         */
        OutputDelivery: Wire<typeof import('@darkroom-service/contract/delivery').OutputDelivery>;
        /** @description Somebody who has signed in with the provider. */
        Person: {
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            email: string | null;
            memberships: {
                /** @description Null = of the operators. */
                account_id: string | null;
                /** @description Whether a group of the provider gives the role, too: it stays then. */
                by_group: boolean;
                /** @enum {unknown} */
                role: "viewer" | "finance" | "creator" | "manager" | "operator" | "owner";
            }[];
            name: string;
            person_id: string;
            /** @description In how many browsers and command lines the person is signed in. */
            sessions: number;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            signed_in_at: string;
        };
        /**
         * @description One line of a price.
         * @example {
         *       "description": "1 image",
         *       "unit": "image",
         *       "quantity": "1",
         *       "unit_price": "0.01",
         *       "amount": "0.01"
         *     }
         */
        PriceLine: Wire<typeof import('@darkroom-service/contract/task').PriceLine>;
        /**
         * PriceQuestion
         * @description The body of a create or of a follow-up action. Models accept further fields: see input_schema of GET /v1/models/{model_id}.
         */
        PriceQuestion: {
            /** @description A follow-up action, to get its price. */
            action?: string | null;
            /** @description Width to height, such as 16:9: one of the model's values. */
            aspect_ratio?: string | null;
            /** @description transparent, opaque or auto. */
            background?: string | null;
            /** @description One of the model's camera movements. */
            camera?: string | null;
            /** @description Where the outputs are copied to; by default the account's default destination. */
            deliver_to?: {
                /** @description The name of a destination of your account: PUT /v1/destinations/{name}. */
                destination?: string;
                /**
                 * Format: uri
                 * @description A presigned PUT URL for the first output.
                 */
                url?: string;
                /** @description A presigned PUT URL for each output, in their order. */
                urls?: string[];
            } | null;
            /** @description The length in seconds. */
            duration?: (string | number) | null;
            /** @description Your own customer. */
            end_user?: string | null;
            /** @description The first frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            first_frame_url?: string | null;
            /** @description Frames per second. */
            fps?: number | null;
            /** @description Whether the video has sound. */
            generate_audio?: boolean | null;
            /** @description How closely the output follows the prompt. */
            guidance_scale?: number | null;
            /** @description Reference images. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            image_urls?: string[] | null;
            /** @description The tile, for actions on a grid. */
            index?: number | null;
            /** @description The last frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            last_frame_url?: string | null;
            /** @description The area to change, in white. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            mask_url?: string | null;
            /** @description US dollars. A more expensive order is refused with 409 price_exceeded. */
            max_price?: (string | number) | null;
            /** @description Up to 16 pairs of your own, returned with the task. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The id of a model. GET /v1/models lists the models that your key can order. */
            model_id: string;
            /** @description What the output should not show. */
            negative_prompt?: string | null;
            /** @description Always 1: one task makes one output. */
            num_images?: number | null;
            /** @description The quality of a jpeg or webp file, in percent. */
            output_compression?: number | null;
            /** @description The file type: png, jpeg or webp. */
            output_format?: string | null;
            /** @description The task that the action follows up on. */
            parent_task_id?: string | null;
            /** @description The description of the output. Some models accept a reference instead. */
            prompt?: string | null;
            /** @description Whether the vendor rewrites the prompt. */
            prompt_enhance?: boolean | null;
            /** @description One of the model's quality levels. */
            quality?: string | null;
            /** @description Reference sounds. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            reference_audio_urls?: string[] | null;
            /** @description Reference videos. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            reference_video_urls?: string[] | null;
            /** @description The size class, such as 1K or 720p: one of the model's values. */
            resolution?: string | null;
            /** @description The same seed with the same request gives a similar output. */
            seed?: number | null;
            /** @description How the task ends. Test keys only. */
            simulate?: {
                /** @description Whether the output explains how the prompt was understood. */
                explain?: boolean;
                /** @enum {unknown} */
                outcome?: "succeeded" | "content_policy" | "upstream_error" | "timeout" | "outcome_unknown" | "stuck" | "late";
                seconds?: number;
            } | null;
            /** @description The exact size as WIDTHxHEIGHT in pixels, instead of resolution and aspect_ratio. */
            size?: string | null;
            /** @description One of the model's speeds. batch costs less and is made within 24 hours. */
            speed?: string | null;
            /** @description The number of sampling steps. */
            steps?: number | null;
            /** @description How far the output may differ from the reference, from 0 to 1. */
            strength?: number | null;
            /** @description One of the model's styles. */
            style?: string | null;
            /** @description Images whose style is used. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            style_image_urls?: string[] | null;
            /** @description The video to edit or extend. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            video_url?: string | null;
            /** @description Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
            wait_for_parent?: boolean | null;
            /** @description Whether the vendor marks the output. */
            watermark?: boolean | null;
            /** @description URL that is notified when the task is final. */
            webhook_url?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A process of the service, as its heartbeats show it. */
        Process: Wire<typeof import('@darkroom-service/contract/process').ServiceProcess>;
        /**
         * @description The keys that verify receipts, as a JWK Set (RFC 7517). Keys are added and never removed.
         * @example {
         *       "keys": [
         *         {
         *           "kty": "OKP",
         *           "crv": "Ed25519",
         *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
         *           "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
         *           "alg": "EdDSA",
         *           "use": "sig"
         *         }
         *       ]
         *     }
         */
        PublicKeySet: {
            keys: {
                /** @enum {string} */
                alg: "EdDSA";
                /** @enum {string} */
                crv: "Ed25519";
                /** @description The key that a receipt names in its header. */
                kid: string;
                /** @enum {string} */
                kty: "OKP";
                /** @enum {string} */
                use: "sig";
                /** @description The public key in Base64url. */
                x: string;
            }[];
        };
        /**
         * @description What an order would cost.
         * @example {
         *       "model_id": "sketch",
         *       "type": "image",
         *       "action": null,
         *       "currency": "USD",
         *       "amount": "0.01",
         *       "exact": true,
         *       "lines": [
         *         {
         *           "description": "1 image",
         *           "unit": "image",
         *           "quantity": "1",
         *           "unit_price": "0.01",
         *           "amount": "0.01"
         *         }
         *       ],
         *       "upstream_key": false,
         *       "input": {
         *         "model_id": "sketch",
         *         "prompt": "a red fox in the snow",
         *         "resolution": "1K",
         *         "aspect_ratio": "1:1"
         *       }
         *     }
         */
        Quote: Wire<typeof import('@darkroom-service/contract/task').Quote>;
        /** @description What several orders would cost, each by itself. */
        QuoteList: Wire<typeof import('@darkroom-service/contract/task').QuoteList>;
        /** @description The service can work; `orders` is there while only reads are possible, `service` while it is held. The checks are shown to an admin key only. */
        Ready: Wire<typeof import('@darkroom-service/contract/error').Ready>;
        /** @description An order to compare with the bills of the upstream, or a charged image that does not decode. */
        Reconciliation: Wire<typeof import('@darkroom-service/contract/admin').Reconciliation>;
        /** @description Unresolved entries with the same cause, and the latest of them. */
        ReconciliationCause: Wire<typeof import('@darkroom-service/contract/reconciliation').ReconciliationCause>;
        /** Redelivery */
        Redelivery: {
            /**
             * DeliverTo
             * @description By default as before, under the same names.
             */
            deliver_to?: {
                /** @description The name of a destination of your account: PUT /v1/destinations/{name}. */
                destination?: string;
                /**
                 * Format: uri
                 * @description A presigned PUT URL for the first output.
                 */
                url?: string;
                /** @description A presigned PUT URL for each output, in their order. */
                urls?: string[];
            };
        };
        /** @description A person as they were, and the API keys that they know. */
        RemovedPerson: {
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            email: string | null;
            /** @description The API keys whose secret the person was shown, by the audit log: those that worked until now. They go on working, unless `revoke_keys` ended them. */
            keys: {
                account_id: string;
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                created_at: string;
                key_id: string;
                /** @enum {unknown} */
                mode: "live" | "test" | "admin";
                name: string;
                /** @description Null = it works. */
                revoked_at: string | null;
            }[];
            memberships: {
                /** @description Null = of the operators. */
                account_id: string | null;
                /** @description Whether a group of the provider gives the role, too: it stays then. */
                by_group: boolean;
                /** @enum {unknown} */
                role: "viewer" | "finance" | "creator" | "manager" | "operator" | "owner";
            }[];
            name: string;
            person_id: string;
            /** @description In how many browsers and command lines the person is signed in. */
            sessions: number;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            signed_in_at: string;
        };
        /** @description A revoked API key. */
        RevokedKey: Wire<typeof import('@darkroom-service/contract/admin').RevokedKey>;
        /** RoleChange */
        RoleChange: {
            /** @description null = as an operator */
            account_id: string | null;
            /** @description null = none */
            role: ("viewer" | "finance" | "creator" | "manager" | "operator" | "owner") | null;
        };
        /** @description Whether the service sends orders and webhooks. */
        Service: Wire<typeof import('@darkroom-service/contract/error').Service>;
        /**
         * @description A link that shows the results of tasks to people without a key.
         * @example {
         *       "share_id": "shr_01kafx5t2hqm8w4v7z1c9d3e6f",
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "task_ids": [
         *         "img_01kafx2r5gq3v8m1t0z6y4n7wd"
         *       ],
         *       "type": "image",
         *       "url": "https://darkroom.example/shares/shr_01kafx5t2hqm8w4v7z1c9d3e6f?expires=1763726400000&signature=p2",
         *       "file_url": "https://darkroom.example/shares/shr_01kafx5t2hqm8w4v7z1c9d3e6f/file?expires=1763726400000&signature=p2",
         *       "show_prompt": false,
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "expires_at": "2026-12-20T09:30:00.000Z"
         *     }
         */
        Share: {
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            expires_at: string;
            /**
             * Format: uri
             * @description The image or video itself, of several the first, as long as the page.
             */
            file_url: string;
            /** @example shr_01kafx2r5gq3v8m1t0z6y4n7wd */
            share_id: string;
            show_prompt: boolean;
            /** @description The first task. */
            task_id: string;
            /** @description All tasks that the link shows. Those that were erased are gone. */
            task_ids: string[];
            /**
             * @description That of the first task.
             * @enum {unknown}
             */
            type: "image" | "video";
            /**
             * Format: uri
             * @description The page to hand on. It works without a key until the link expires or is revoked.
             */
            url: string;
        };
        /** @description The confirmation that a link no longer works. */
        ShareDeletion: {
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            deleted_at: string;
            share_id: string;
        };
        /** @description A rotation of the secrets that sign addresses, share links and client tokens. */
        SigningSecrets: Wire<typeof import('@darkroom-service/contract/admin').SigningSecrets>;
        /**
         * @description A tag that tasks of the key have.
         * @example {
         *       "tag": "favourite",
         *       "tasks": 12
         *     }
         */
        Tag: {
            tag: string;
            /** @description How many images and videos have the tag; 1000 means that many or more. */
            tasks: number;
        };
        /**
         * @description An order, and what became of it.
         * @example {
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "type": "image",
         *       "status": "succeeded",
         *       "progress": 100,
         *       "queue_position": null,
         *       "estimated_seconds": null,
         *       "revision": 5,
         *       "model_id": "sketch",
         *       "action": null,
         *       "parent_task_id": null,
         *       "batch_id": null,
         *       "batch_name": null,
         *       "input": {
         *         "model_id": "sketch",
         *         "prompt": "a red fox in the snow",
         *         "resolution": "1K",
         *         "aspect_ratio": "1:1",
         *         "seed": 7
         *       },
         *       "outputs": [
         *         {
         *           "url": "https://darkroom.example/files/tasks/01kafx2/img_01kafx2r5gq3v8m1t0z6y4n7wd-1-0.png?expires=1763726400000&signature=q8",
         *           "url_expires_at": "2026-12-20T09:30:00.000Z",
         *           "content_url": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd/content",
         *           "content_type": "image/png",
         *           "bytes": 482113,
         *           "width": 1024,
         *           "height": 1024,
         *           "duration_seconds": null,
         *           "fps": null,
         *           "has_audio": null,
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "thumbnail_url": "https://darkroom.example/files/tasks/01kafx2/img_01kafx2r5gq3v8m1t0z6y4n7wd-1-0-thumbnail.webp?expires=1763726400000&signature=x1",
         *           "preview_url": null,
         *           "provenance": {
         *             "state": "marked",
         *             "standard": "metadata"
         *           },
         *           "tiles": null,
         *           "seed": 7,
         *           "revised_prompt": null
         *         }
         *       ],
         *       "error": null,
         *       "cost": {
         *         "state": "charged",
         *         "amount": "0.01",
         *         "quoted": "0.01",
         *         "currency": "USD",
         *         "lines": [
         *           {
         *             "description": "1 image",
         *             "unit": "image",
         *             "quantity": "1",
         *             "unit_price": "0.01",
         *             "amount": "0.01"
         *           }
         *         ]
         *       },
         *       "available_actions": [],
         *       "can_cancel": false,
         *       "cancel_requested_at": null,
         *       "end_user": "customer-17",
         *       "metadata": {
         *         "order": "4711"
         *       },
         *       "mode": "live",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "started_at": "2026-11-20T09:30:00.000Z",
         *       "completed_at": "2026-11-20T09:30:04.210Z",
         *       "deadline_at": "2026-11-20T10:30:00.000Z",
         *       "expires_at": "2026-12-20T09:30:00.000Z",
         *       "urls": {
         *         "self": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *         "cancel": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd/cancel",
         *         "events": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd/events?expires=1763640600000&signature=Zm"
         *       }
         *     }
         */
        Task: Wire<typeof import('@darkroom-service/contract/task').Task>;
        /** @description The confirmation that a task was deleted. */
        TaskDeletion: Wire<typeof import('@darkroom-service/contract/task').Deletion>;
        /**
         * @description Why a task failed.
         * @example {
         *       "code": "content_policy",
         *       "message": "The upstream refused the prompt.",
         *       "retry": "never",
         *       "charged": false
         *     }
         */
        TaskError: Wire<typeof import('@darkroom-service/contract/task').TaskError>;
        /**
         * @description What is certain about an order that has ended.
         * @example {
         *       "issuer": "https://darkroom.example",
         *       "account_id": "default",
         *       "mode": "live",
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "batch_id": null,
         *       "type": "image",
         *       "status": "succeeded",
         *       "model_id": "sketch",
         *       "action": null,
         *       "parent_task_id": null,
         *       "route": {
         *         "engine": "sketch",
         *         "model": null
         *       },
         *       "input": {
         *         "model_id": "sketch",
         *         "prompt": "a fox"
         *       },
         *       "outputs": [
         *         {
         *           "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
         *           "content_type": "image/png",
         *           "bytes": 48213,
         *           "width": 1024,
         *           "height": 1024,
         *           "duration_seconds": null
         *         }
         *       ],
         *       "cost": {
         *         "quoted": "0.04",
         *         "charged": "0.04",
         *         "currency": "USD",
         *         "lines": [],
         *         "ledger": []
         *       },
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "started_at": "2026-11-20T09:30:00.020Z",
         *       "completed_at": "2026-11-20T09:30:02.000Z",
         *       "erased_at": null
         *     }
         */
        TaskReceipt: {
            account_id: string;
            action: string | null;
            batch_id: string | null;
            completed_at: string | null;
            cost: {
                /** @description US dollars. */
                charged: string;
                /** @enum {string} */
                currency: "USD";
                /** @description The account's ledger entries of this order, and its part of the hold of its batch. Their sum is what was charged. */
                ledger: {
                    /** @description US dollars; negative if it reduced the balance. */
                    amount: string;
                    /**
                     * Format: date-time
                     * @description UTC, with milliseconds.
                     */
                    created_at: string;
                    /** @description As in the ledger: hold, release, charge or a kind that is added later. */
                    kind: string;
                }[];
                /** @description Of the charge; of the quote if nothing was charged. */
                lines: components["schemas"]["PriceLine"][];
                /** @description US dollars: the price when the order was placed, the maximum charge. */
                quoted: string;
            };
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            erased_at: string | null;
            /** @description The request with its defaults filled in, without media; null once it was erased. */
            input: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description The public address of the service.
             */
            issuer: string;
            /** @enum {unknown} */
            mode: "live" | "test";
            model_id: string;
            /** @description The files that were delivered; null once they were erased. */
            outputs: {
                bytes: number;
                content_type: string;
                duration_seconds: number | null;
                height: number | null;
                /** @description SHA-256 of the file, in hex. */
                sha256: string;
                width: number | null;
            }[] | null;
            parent_task_id: string | null;
            /** @description Where the order was made; null if it was never submitted. */
            route: {
                engine: string;
                /** @description The upstream's name of the model. */
                model: string | null;
            } | null;
            started_at: string | null;
            /** @enum {unknown} */
            status: "queued" | "processing" | "succeeded" | "failed" | "canceled";
            task_id: string;
            /** @enum {unknown} */
            type: "image" | "video";
        };
        /** @description Why an order stands still. */
        TaskStanding: Wire<typeof import('@darkroom-service/contract/standing').Standing>;
        /**
         * @description The tags of a task.
         * @example {
         *       "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *       "tags": [
         *         "favourite",
         *         "hero"
         *       ]
         *     }
         */
        TaskTags: {
            /** @description In alphabetical order. */
            tags: string[];
            task_id: string;
        };
        /** @description A way in which the result differs from what was ordered. */
        TaskWarning: Wire<typeof import('@darkroom-service/contract/task').TaskWarning>;
        /**
         * @description The account's own key at an upstream. Its live orders go there for a fee.
         * @example {
         *       "engine": "fal",
         *       "upstream_key_id": "upk_01kafx3d1vq9w5r2y8s6h4b7n3",
         *       "last_four": "9f2c",
         *       "set_by": "key_01kafx1a2bq4w6r8y0s3h5b7n9",
         *       "set_at": "2026-11-20T09:30:00.000Z",
         *       "problem": null
         *     }
         */
        UpstreamKey: Wire<typeof import('@darkroom-service/contract/upstream-key').UpstreamKey>;
        /** @description The account's own upstream keys, and what orders with them cost. */
        UpstreamKeyList: Wire<typeof import('@darkroom-service/contract/upstream-key').UpstreamKeyList>;
        /** @description The confirmation that an upstream key was removed. */
        UpstreamKeyRemoval: Wire<typeof import('@darkroom-service/contract/upstream-key').UpstreamKeyRemoval>;
        /** @description Tasks created within a period and what they cost. */
        UsageReport: Wire<typeof import('@darkroom-service/contract/account').UsageReport>;
        /** @description Tasks of one group and what they cost. Only the fields named in group_by are present. */
        UsageRow: Wire<typeof import('@darkroom-service/contract/account').UsageRow>;
        /**
         * VideoOrder
         * @description Models accept further fields: see input_schema of GET /v1/models/{model_id}.
         */
        VideoOrder: {
            /** @description Width to height, such as 16:9: one of the model's values. */
            aspect_ratio?: string | null;
            /** @description One of the model's camera movements. */
            camera?: string | null;
            /** @description Where the outputs are copied to; by default the account's default destination. */
            deliver_to?: {
                /** @description The name of a destination of your account: PUT /v1/destinations/{name}. */
                destination?: string;
                /**
                 * Format: uri
                 * @description A presigned PUT URL for the first output.
                 */
                url?: string;
                /** @description A presigned PUT URL for each output, in their order. */
                urls?: string[];
            } | null;
            /** @description The length in seconds. */
            duration?: (string | number) | null;
            /** @description Your own customer. */
            end_user?: string | null;
            /** @description The first frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            first_frame_url?: string | null;
            /** @description Frames per second. */
            fps?: number | null;
            /** @description Whether the video has sound. */
            generate_audio?: boolean | null;
            /** @description Reference images. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            image_urls?: string[] | null;
            /** @description The last frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            last_frame_url?: string | null;
            /** @description US dollars. A more expensive order is refused with 409 price_exceeded. */
            max_price?: (string | number) | null;
            /** @description Up to 16 pairs of your own, returned with the task. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The id of a model. GET /v1/models lists the models that your key can order. */
            model_id: string;
            /** @description What the output should not show. */
            negative_prompt?: string | null;
            /** @description Always 1: one task makes one output. */
            num_images?: number | null;
            /** @description The description of the output. Some models accept a reference instead. */
            prompt?: string | null;
            /** @description Whether the vendor rewrites the prompt. */
            prompt_enhance?: boolean | null;
            /** @description Reference sounds. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            reference_audio_urls?: string[] | null;
            /** @description Reference videos. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            reference_video_urls?: string[] | null;
            /** @description The size class, such as 1K or 720p: one of the model's values. */
            resolution?: string | null;
            /** @description The same seed with the same request gives a similar output. */
            seed?: number | null;
            /** @description How the task ends. Test keys only. */
            simulate?: {
                /** @description Whether the output explains how the prompt was understood. */
                explain?: boolean;
                /** @enum {unknown} */
                outcome?: "succeeded" | "content_policy" | "upstream_error" | "timeout" | "outcome_unknown" | "stuck" | "late";
                seconds?: number;
            } | null;
            /** @description One of the model's styles. */
            style?: string | null;
            /** @description The video to edit or extend. A URL, a data URI, upload:<file_id> or task:<task_id>. */
            video_url?: string | null;
            /** @description Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
            wait_for_parent?: boolean | null;
            /** @description Whether the vendor marks the output. */
            watermark?: boolean | null;
            /** @description URL that is notified when the task is final. */
            webhook_url?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A page of video tasks, newest first. */
        VideoTaskPage: Wire<typeof import('@darkroom-service/contract/task').VideoPage>;
        /** @description A webhook event and the attempts to deliver it. */
        WebhookDelivery: Wire<typeof import('@darkroom-service/contract/webhook').Delivery>;
        /**
         * @description The body of a webhook request about a task.
         * @example {
         *       "type": "task.succeeded",
         *       "timestamp": "2026-11-20T09:30:04.210Z",
         *       "data": {
         *         "task_id": "img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *         "type": "image",
         *         "status": "succeeded",
         *         "progress": 100,
         *         "queue_position": null,
         *         "estimated_seconds": null,
         *         "revision": 5,
         *         "model_id": "sketch",
         *         "action": null,
         *         "parent_task_id": null,
         *         "batch_id": null,
         *         "batch_name": null,
         *         "input": {
         *           "model_id": "sketch",
         *           "prompt": "a red fox in the snow",
         *           "resolution": "1K",
         *           "aspect_ratio": "1:1",
         *           "seed": 7
         *         },
         *         "outputs": [
         *           {
         *             "url": "https://darkroom.example/files/tasks/01kafx2/img_01kafx2r5gq3v8m1t0z6y4n7wd-1-0.png?expires=1763726400000&signature=q8",
         *             "url_expires_at": "2026-12-20T09:30:00.000Z",
         *             "content_url": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd/content",
         *             "content_type": "image/png",
         *             "bytes": 482113,
         *             "width": 1024,
         *             "height": 1024,
         *             "duration_seconds": null,
         *             "fps": null,
         *             "has_audio": null,
         *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *             "thumbnail_url": "https://darkroom.example/files/tasks/01kafx2/img_01kafx2r5gq3v8m1t0z6y4n7wd-1-0-thumbnail.webp?expires=1763726400000&signature=x1",
         *             "preview_url": null,
         *             "provenance": {
         *               "state": "marked",
         *               "standard": "metadata"
         *             },
         *             "tiles": null,
         *             "seed": 7,
         *             "revised_prompt": null
         *           }
         *         ],
         *         "error": null,
         *         "cost": {
         *           "state": "charged",
         *           "amount": "0.01",
         *           "quoted": "0.01",
         *           "currency": "USD",
         *           "lines": [
         *             {
         *               "description": "1 image",
         *               "unit": "image",
         *               "quantity": "1",
         *               "unit_price": "0.01",
         *               "amount": "0.01"
         *             }
         *           ]
         *         },
         *         "available_actions": [],
         *         "can_cancel": false,
         *         "cancel_requested_at": null,
         *         "end_user": "customer-17",
         *         "metadata": {
         *           "order": "4711"
         *         },
         *         "mode": "live",
         *         "created_at": "2026-11-20T09:30:00.000Z",
         *         "started_at": "2026-11-20T09:30:00.000Z",
         *         "completed_at": "2026-11-20T09:30:04.210Z",
         *         "deadline_at": "2026-11-20T10:30:00.000Z",
         *         "expires_at": "2026-12-20T09:30:00.000Z",
         *         "urls": {
         *           "self": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd",
         *           "cancel": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd/cancel",
         *           "events": "https://darkroom.example/v1/images/img_01kafx2r5gq3v8m1t0z6y4n7wd/events?expires=1763640600000&signature=Zm"
         *         }
         *       }
         *     }
         */
        WebhookEvent: Wire<typeof import('@darkroom-service/contract/webhook').WebhookEvent>;
        /** @description A secret that signs webhooks. */
        WebhookSecret: Wire<typeof import('@darkroom-service/contract/webhook').Secret>;
        /** @description What the receiver of a test event answered. */
        WebhookTest: Wire<typeof import('@darkroom-service/contract/webhook').WebhookTest>;
    };
    responses: {
        /** @description - `not_stuck`: The order is not at an upstream, so an operator can neither ask for it nor give it up. */
        "adminAskUpstream-409": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `orders_changed`: The deed would change another number of orders than `expected`. */
        "adminAskUpstreams-409": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_cancelable`: The task cannot be canceled any more, or its engine cannot stop. */
        "adminCancelTask-409": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `invalid_request`: A field, header or query parameter has the wrong type or format.
         *     - `unsupported_field`: The model does not accept this field.
         *     - `invalid_json`: The body is not valid JSON.
         */
        "adminCreateAccount-400": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `body_too_large`: The body is too large. */
        "adminCreateAccount-413": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `unsupported_media_type`: The body has an unsupported content type, or is compressed. */
        "adminCreateAccount-415": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `idempotency_key_reused`: The `Idempotency-Key` was used with another request. */
        "adminCreateAccount-422": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `task_not_found`: This key has no such task. */
        "adminGetTask-404": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `task_expired`: The ended task was removed because of its age. */
        "adminGetTask-410": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `task_not_found`: This key has no such task.
         *     - `not_found`: Nothing exists at this URL.
         */
        "adminMarkExample-404": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_final`: The task is not final. */
        "adminMarkExample-409": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `task_expired`: The ended task was removed because of its age.
         *     - `outputs_expired`: The files were erased.
         */
        "adminMarkExample-410": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_refundable`: The task has no charge that could be given back. */
        "adminRefundTask-409": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_cancelable`: The task cannot be canceled any more, or its engine cannot stop. */
        "cancelImage-409": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `invalid_request`: A field, header or query parameter has the wrong type or format.
         *     - `unsupported_field`: The model does not accept this field.
         *     - `invalid_json`: The body is not valid JSON.
         *     - `unsupported_value`: The model does not accept this value, or not in this combination.
         *     - `unsupported_action`: The parent task does not offer this action.
         *     - `missing_prompt`: The model needs a prompt.
         *     - `missing_reference`: The model needs a reference image, video or sound.
         *     - `prompt_too_long`: The prompt is longer than the model accepts.
         *     - `invalid_reference`: A reference cannot be used.
         */
        "createImage-400": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `insufficient_balance`: The account cannot pay for this order.
         *     - `spend_limit_reached`: The key has reached its spend limit.
         *     - `end_user_limit_reached`: The `end_user` of the order has reached its limit.
         */
        "createImage-402": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `forbidden`: The key has the wrong kind, or a file URL's signature is invalid or expired.
         *     - `model_not_allowed`: The key may not order this model.
         */
        "createImage-403": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `model_not_found`: The model does not exist. */
        "createImage-404": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `parent_not_ready`: The parent task, or a task named by a reference (`task:…`), is not final.
         *     - `price_exceeded`: The price is higher than `max_price`.
         *     - `storage_limit_reached`: The input files (uploads, data URIs, fetched references) of the key, or of the end user of a client token, use all of their storage.
         */
        "createImage-409": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `model_retired`: The model is no longer available. */
        "createImage-410": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `idempotency_key_reused`: The `Idempotency-Key` was used with another request. */
        "createImage-422": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `rate_limited`: The key exceeded its rate limit or one of its budgets.
         *     - `queue_full`: Too many tasks of this key are waiting.
         */
        "createImage-429": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `service_unavailable`: The service cannot reach its database.
         *     - `shutting_down`: The service is stopping.
         *     - `model_unavailable`: The model cannot be ordered now: it is paused, no engine is configured, or its upstreams wait for the operator.
         *     - `storage_full`: The service has no space for files.
         */
        "createImage-503": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `model_not_found`: The model does not exist.
         *     - `task_not_found`: This key has no such task.
         */
        "createImageAction-404": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `parent_not_ready`: The parent task, or a task named by a reference (`task:…`), is not final.
         *     - `price_exceeded`: The price is higher than `max_price`.
         *     - `storage_limit_reached`: The input files (uploads, data URIs, fetched references) of the key, or of the end user of a client token, use all of their storage.
         *     - `parent_not_usable`: The parent task failed, was canceled or was erased.
         */
        "createImageAction-409": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `not_final`: The task is not final.
         *     - `share_limit_reached`: The key has as many share links as it may have.
         */
        "createShare-409": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `invalid_request`: A field, header or query parameter has the wrong type or format.
         *     - `unsupported_field`: The model does not accept this field.
         *     - `invalid_json`: The body is not valid JSON.
         */
        "deleteImage-400": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_final`: The task is not final. */
        "deleteImage-409": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `forbidden`: The key has the wrong kind, or a file URL's signature is invalid or expired. */
        "downloadFile-403": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_found`: Nothing exists at this URL. */
        "downloadFile-404": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `outputs_expired`: The files were erased. */
        "downloadFile-410": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `range_not_satisfiable`: The range is outside the file. */
        "downloadFile-416": {
            headers: {
                "Content-Range": components["headers"]["Content-Range"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other failure. */
        Failure: {
            headers: {
                Allow: components["headers"]["Allow"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_found`: Nothing exists at this URL. */
        "findOrigin-404": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `body_too_large`: The body is too large. */
        "findOriginOfFile-413": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `unsupported_media_type`: The body has an unsupported content type, or is compressed. */
        "findOriginOfFile-415": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `invalid_request`: A field, header or query parameter has the wrong type or format.
         *     - `unsupported_field`: The model does not accept this field.
         */
        "getCatalog-400": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `rate_limited`: The key exceeded its rate limit or one of its budgets. */
        "getCatalog-429": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `internal_error`: The service failed. */
        "getCatalog-500": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `service_unavailable`: The service cannot reach its database.
         *     - `shutting_down`: The service is stopping.
         */
        "getCatalog-503": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `outputs_expired`: The files were erased. */
        "getFile-410": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `task_not_found`: This key has no such task.
         *     - `not_found`: Nothing exists at this URL.
         */
        "getImageContent-404": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `task_expired`: The ended task was removed because of its age.
         *     - `outputs_expired`: The files were erased.
         */
        "getImageContent-410": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `range_not_satisfiable`: The range is outside the file. */
        "getImageContent-416": {
            headers: {
                "Content-Range": components["headers"]["Content-Range"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `unsupported_field`: The model does not accept this field. */
        "getLiveness-400": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `missing_api_key`: The request has no API key.
         *     - `invalid_api_key`: The API key is unknown.
         *     - `expired_api_key`: The API key has expired.
         *     - `revoked_api_key`: The API key was revoked.
         */
        "getReadiness-401": {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `parent_not_ready`: The parent task, or a task named by a reference (`task:…`), is not final.
         *     - `parent_not_usable`: The parent task failed, was canceled or was erased.
         */
        "quotePrice-409": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `invalid_request`: A field, header or query parameter has the wrong type or format.
         *     - `unsupported_field`: The model does not accept this field.
         */
        "streamImageEvents-400": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `forbidden`: The key has the wrong kind, or a file URL's signature is invalid or expired. */
        "streamImageEvents-403": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `task_not_found`: This key has no such task. */
        "streamImageEvents-404": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `task_expired`: The ended task was removed because of its age. */
        "streamImageEvents-410": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `rate_limited`: The key exceeded its rate limit or one of its budgets. */
        "streamImageEvents-429": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `internal_error`: The service failed. */
        "streamImageEvents-500": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `service_unavailable`: The service cannot reach its database.
         *     - `shutting_down`: The service is stopping.
         */
        "streamImageEvents-503": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `storage_limit_reached`: The input files (uploads, data URIs, fetched references) of the key, or of the end user of a client token, use all of their storage. */
        "uploadFile-409": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `service_unavailable`: The service cannot reach its database.
         *     - `shutting_down`: The service is stopping.
         *     - `storage_full`: The service has no space for files.
         */
        "uploadFile-503": {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Always `bytes`. */
        "Accept-Ranges": string;
        /** @description The methods that the URL accepts. */
        Allow: string;
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description The file name, and whether a browser saves or shows the file. */
        "Content-Disposition": string;
        /** @description The range that the answer contains. */
        "Content-Range": string;
        /** @description Since when the model is deprecated, as @ and seconds since 1970. */
        Deprecation: string;
        /** @description The version of the answer. Send it as If-None-Match. */
        ETag: string;
        /** @description `true` if the Idempotency-Key was known: nothing was done, ordered or charged again. */
        "Idempotent-Replayed": "true";
        /** @description The model to use instead, as rel="successor-version". */
        Link: string;
        /** @description The URL of the new resource, or of the file. */
        Location: string;
        /** @description `wait=N` if the answer waited, up to N seconds, for the task. */
        "Preference-Applied": string;
        /** @description What is left of the limits that the request uses: `"creates";r=59;t=60`. */
        RateLimit: string;
        /** @description The limits that the request uses: `"creates";q=60;qu="requests";w=60`. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait before the next request. */
        "Retry-After": number;
        /** @description When the deprecated model is retired. */
        Sunset: string;
        /** @description Always `Bearer`. */
        "WWW-Authenticate": string;
        /** @description The id of the request: yours if you sent one, otherwise a new one. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getReceiptKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys that verify receipts, as a JWK Set (RFC 7517). Keys are added and never removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeySet"];
                };
            };
            400: components["responses"]["getLiveness-400"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["AdminAccount"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminCreateAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account_id?: string;
                    /** @description dollars as a decimal string, or null for an account that pays later */
                    credit_limit?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["AdminAccount"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGetAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an account. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminAccount"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminUpdateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an account. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description dollars as a decimal string, or null for an account that pays later */
                    credit_limit?: string | null;
                    hidden_models?: string[];
                    name?: string;
                    price_rules?: {
                        models: string;
                        multiplier: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminAccount"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminCreditAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an account. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description dollars as a decimal string such as "25.00" */
                    amount: string;
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["AdminAccount"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGetAccountProvenance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an account. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AccountProvenance"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminSetAccountProvenance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an account. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccountProvenance"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AccountProvenance"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListAlerts: {
        parameters: {
            query?: {
                /** @description an alert_id: alerts that began before it */
                after?: string;
                /** @description default: all */
                kind?: "circuit_open" | "upstream_credit" | "upstream_balance_low" | "unknown_outcomes" | "oldest_waiting" | "margin_below_zero" | "below_cost" | "unknown_cost" | "model_ends" | "disk_nearly_full" | "storage_unavailable" | "spool_unavailable" | "database_unavailable" | "standby_behind" | "standby_asynchronous" | "process_silent" | "process_apart" | "held" | "sweep_stopped" | "watch_failed";
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description default: both */
                state?: "open" | "ended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Alert"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminAcknowledgeAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Alert"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminSilenceAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description for how long; 0 = send messages again */
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Alert"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListAudit: {
        parameters: {
            query?: {
                /** @description such as key.create, or key for all acts on keys */
                act?: string;
                /** @description the id or the name of who made the change */
                actor?: string;
                /** @description the last audit_id of the page before */
                after?: string;
                /** @description ISO 8601, such as 2026-11-20T00:00:00Z */
                from?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description the id of what was changed */
                target?: string;
                /** @description ISO 8601; itself excluded */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["AuditAct"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminExportAudit: {
        parameters: {
            query?: {
                /** @description such as key.create, or key for all acts on keys */
                act?: string;
                /** @description the id or the name of who made the change */
                actor?: string;
                /** @description ISO 8601, such as 2026-11-20T00:00:00Z */
                from?: string;
                /** @description the id of what was changed */
                target?: string;
                /** @description ISO 8601; itself excluded */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per line, oldest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminReloadCatalog: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["CatalogReload"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminReportCosts: {
        parameters: {
            query?: {
                /** @description the next_after of the page before: the rows after it, of the same span */
                after?: string;
                /** @description a date or time; by default 30 days before to */
                from?: string;
                /** @description one or several of model_id, account_id, engine, comma-separated */
                group_by?: string;
                /** @description rows at most */
                limit?: number;
                /** @description a date or time, itself excluded; by default now */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["CostReport"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListCostOrders: {
        parameters: {
            query?: {
                account_id?: string;
                /** @description the next_after of the page before */
                after?: string;
                engine?: string;
                /** @description a date or time; by default 30 days before to */
                from?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                model_id?: string;
                /** @description only orders that the cost report counts so */
                note?: "below_cost" | "differing" | "unsuccessful" | "unknown" | "without_amount";
                /** @description a date or time, itself excluded; by default now */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["CostOrder"][];
                            limit: number;
                            /** @description Send it as after to get the next page; null = this is the last page. */
                            next_after: string | null;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListEngines: {
        parameters: {
            query?: {
                /** @description orders of live keys (the default), of test keys, or all */
                mode?: "live" | "test" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["AdminEngine"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminCloseCircuit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["ClosedCircuit"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminPauseEngine: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminSwitch"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminResumeEngine: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminSwitch"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListErasures: {
        parameters: {
            query?: {
                /** @description the last erasure_id of the page before */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["AdminErasure"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminEraseData: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewErasure"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["AdminErasure"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGetErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                erasure_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminErasure"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminFollowChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events named `changed`: the first at once, then at most one in five seconds. Events named `local`: one soon after the first, then at most one a second */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListExamples: {
        parameters: {
            query?: {
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                model_id?: string;
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["AdminModelExample"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminExportData: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDataRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["AdminDataExport"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminDownloadExport: {
        parameters: {
            query?: {
                /** @description the darkroom-next of the archive before */
                after?: string;
            };
            header?: never;
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ZIP archive without compression */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListFailures: {
        parameters: {
            query?: {
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description orders of live keys (the default), of test keys, or all */
                mode?: "live" | "test" | "all";
                /** @description a part of the name of account or key, of the model or of the failure; an id; a price */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["AdminFailure"][];
                            /**
                             * Format: date-time
                             * @description The report covers orders placed since then.
                             */
                            since: string;
                            /** @description Whether the report leaves out older orders or further failures. */
                            truncated: boolean;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListFailureCauses: {
        parameters: {
            query?: {
                /** @description orders of live keys (the default), of test keys, or all */
                mode?: "live" | "test" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["AdminFailureCause"][];
                            /**
                             * Format: date-time
                             * @description The report covers orders placed since then.
                             */
                            since: string;
                            /** @description Whether the report leaves out older orders or further failures. */
                            truncated: boolean;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGetHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Health"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Customers read it. */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Service"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminRelease: {
        parameters: {
            query?: {
                /** @description for a restored or copied installation: whether it takes the place of its original, or goes on beside it */
                as?: "successor" | "copy";
                /** @description with as: whether the webhooks of orders from before are sent, or never; left out: a successor sends them, a copy drops them */
                webhooks?: "send" | "drop";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Service"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    listAllInvitations: {
        parameters: {
            query?: {
                /** @description left out = those to the operators */
                account_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["Invitation"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    inviteAnyone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminInvitation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["IssuedInvitation"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    withdrawAnyInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Invitation"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListKeys: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["AdminKey"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminIssueKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default default */
                    account_id?: string;
                    account_view?: boolean;
                    approve_over?: string | null;
                    /** @description 0 = no limit */
                    concurrency?: number;
                    /** @description for each end user that has no limit of its own */
                    end_user_limits?: {
                        day?: string | null;
                        month?: string | null;
                        total?: string | null;
                    };
                    /** @description null = never */
                    expires_at?: string | null;
                    /** @enum {unknown} */
                    mode: "live" | "test" | "admin";
                    /** @description patterns such as 'flux-*', at least one; null = every model */
                    models?: string[] | null;
                    name?: string;
                    /** @description 0 = no limit */
                    queue?: number;
                    /** @description 0 = no limit */
                    read_rpm?: number;
                    /** @description 0 = no limit */
                    rpm?: number;
                    spend_limits?: {
                        day?: string | null;
                        month?: string | null;
                        total?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["IssuedKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGetKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an API key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminKeyWithTasks"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminUpdateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an API key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account_view?: boolean;
                    approve_over?: string | null;
                    /** @description 0 = no limit */
                    concurrency?: number;
                    /** @description for each end user that has no limit of its own */
                    end_user_limits?: {
                        day?: string | null;
                        month?: string | null;
                        total?: string | null;
                    };
                    /** @description null = never */
                    expires_at?: string | null;
                    /** @description patterns such as 'flux-*', at least one; null = every model */
                    models?: string[] | null;
                    name?: string;
                    /** @description 0 = no limit */
                    queue?: number;
                    /** @description 0 = no limit */
                    read_rpm?: number;
                    /** @description 0 = no limit */
                    rpm?: number;
                    spend_limits?: {
                        day?: string | null;
                        month?: string | null;
                        total?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminRevokeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an API key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["RevokedKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminRotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an API key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description how long the old secret still works
                     * @default 86400
                     */
                    grace_seconds?: number;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["IssuedKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGetKeyUsage: {
        parameters: {
            query: {
                /** @description up to 100 key_ids, comma-separated */
                key_ids: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["KeyUsage"][];
                            /**
                             * Format: date-time
                             * @description UTC, with milliseconds.
                             */
                            since: string;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListLocalModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminLocalModels"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminRemoveLocalModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminRemovedLocalModel"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminCancelLocalPull: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminLocalModel"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminPullLocalModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description You have read the licence and accept it. */
                    accept_licence?: boolean;
                    /** @description Use the facts that only the hub tells. */
                    accept_unverified?: boolean;
                    /** @description One of `builds`, or `none` to pull the model alone. */
                    build?: string;
                    /** @description Also pull a model that needs more memory than the machine has. */
                    ignore_memory?: boolean;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminLocalModel"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["AdminModel"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminPauseModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminSwitch"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminResumeModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminSwitch"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description a person_id: those that follow */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Person"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    removePerson: {
        parameters: {
            query?: {
                /** @description true = also revokes the keys that the answer lists, for good */
                revoke_keys?: "true" | "false";
            };
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["RemovedPerson"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    setPersonRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Person"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    signOutPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Person"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListProcesses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["Process"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    findOriginAsOperator: {
        parameters: {
            query: {
                /**
                 * @description the SHA-256 of the file, in lowercase hex
                 * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                 */
                sha256: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Origin"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListReconciliation: {
        parameters: {
            query?: {
                /** @description the last id of the page before */
                after?: string;
                /** @description the engine of the orders; default: all */
                engine?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description orders of live keys (the default), of test keys, or all */
                mode?: "live" | "test" | "all";
                resolved?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Reconciliation"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminResolveReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The reconciliation_id of an entry. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    resolution: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Reconciliation"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListReconciliationCauses: {
        parameters: {
            query?: {
                /** @description orders of live keys (the default), of test keys, or all */
                mode?: "live" | "test" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["ReconciliationCause"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminResolveReconciliations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                    resolution: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["Reconciliation"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListRequests: {
        parameters: {
            query?: {
                account_id?: string;
                /** @description the next_after of the page before: older ones */
                after?: string;
                /** @description the code of an error */
                code?: string;
                key_id?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description ISO 8601, such as 2026-11-20T00:00:00Z */
                since?: string;
                /** @description a status such as 404, a class such as 4xx, or failed: 400 and above */
                status?: string;
                /** @description with `key_id`: that of the order */
                task_id?: string;
                /** @description ISO 8601; itself excluded */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["LoggedRequest"][];
                            limit: number;
                            /** @description Send it as after to get the next page; null = this is the last page. */
                            next_after: string | null;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminRotateSigningSecrets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description how long addresses, share links and client tokens that were handed out still work
                     * @default 86400
                     */
                    grace_seconds?: number;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["SigningSecrets"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListTasks: {
        parameters: {
            query?: {
                /** @description the `next_after` of the page before */
                after?: string;
                /** @description the engine of the orders; default: all */
                engine?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description orders of live keys (the default), of test keys, or all */
                mode?: "live" | "test" | "all";
                /** @description the id of an order; a customer's id (`end_user`); the id or a part of the name of an account or a key; a request id of the last days; else words of the model, the metadata, the error, a price, and for those who may export also of the prompt */
                search?: string;
                /** @description `open`: not final. `unknown`: with an entry to reconcile that nobody has resolved, of the newest 5,000 of these */
                state?: "all" | "open" | "failed" | "unknown";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            /** @description What `search` names: an order, a customer, an account, a key, a request, or words; null without a search. */
                            found_by: ("task" | "end_user" | "account" | "key" | "request" | "text") | null;
                            has_more: boolean;
                            items: components["schemas"]["AdminTask"][];
                            limit: number;
                            /** @description Send it as after to get the next page; null = this is the last page. */
                            next_after: string | null;
                            /** @description This page looked at the orders that were placed since then; older ones follow with `next_after`. Null = nothing was left out. */
                            searched_since: string | null;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGetTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["adminGetTask-404"];
            410: components["responses"]["adminGetTask-410"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminAskUpstream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["adminGetTask-404"];
            409: components["responses"]["adminAskUpstream-409"];
            410: components["responses"]["adminGetTask-410"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminCancelTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["adminGetTask-404"];
            409: components["responses"]["adminCancelTask-409"];
            410: components["responses"]["adminGetTask-410"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminMarkExample: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminModelExample"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["adminMarkExample-404"];
            409: components["responses"]["adminMarkExample-409"];
            410: components["responses"]["adminMarkExample-410"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminUnmarkExample: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["ModelExampleDeletion"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGiveUpTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["adminGetTask-404"];
            409: components["responses"]["adminAskUpstream-409"];
            410: components["responses"]["adminGetTask-410"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminRefundTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["adminGetTask-404"];
            409: components["responses"]["adminRefundTask-409"];
            410: components["responses"]["adminGetTask-410"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminAskUpstreams: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the engine of the orders; default: all */
                    engine?: string;
                    /** @description the number of orders that this is to change, as you saw it */
                    expected: number;
                    /**
                     * @description orders of live keys (the default), of test keys, or all
                     * @default live
                     * @enum {unknown}
                     */
                    mode?: "live" | "test" | "all";
                    /** @description the id of an order; a customer's id (`end_user`); the id or a part of the name of an account or a key; a request id of the last days; else words of the model, the metadata, the error, a price, and for those who may export also of the prompt */
                    search?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["OrderDeed"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            409: components["responses"]["adminAskUpstreams-409"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminCancelTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the engine of the orders; default: all */
                    engine?: string;
                    /** @description the number of orders that this is to change, as you saw it */
                    expected: number;
                    /**
                     * @description orders of live keys (the default), of test keys, or all
                     * @default live
                     * @enum {unknown}
                     */
                    mode?: "live" | "test" | "all";
                    /** @description the id of an order; a customer's id (`end_user`); the id or a part of the name of an account or a key; a request id of the last days; else words of the model, the metadata, the error, a price, and for those who may export also of the prompt */
                    search?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["OrderDeed"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            409: components["responses"]["adminAskUpstreams-409"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminCountDeeds: {
        parameters: {
            query?: {
                /** @description the engine of the orders; default: all */
                engine?: string;
                /** @description orders of live keys (the default), of test keys, or all */
                mode?: "live" | "test" | "all";
                /** @description the id of an order; a customer's id (`end_user`); the id or a part of the name of an account or a key; a request id of the last days; else words of the model, the metadata, the error, a price, and for those who may export also of the prompt */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["OrderDeedCounts"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminGiveUpTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the engine of the orders; default: all */
                    engine?: string;
                    /** @description the number of orders that this is to change, as you saw it */
                    expected: number;
                    /**
                     * @description orders of live keys (the default), of test keys, or all
                     * @default live
                     * @enum {unknown}
                     */
                    mode?: "live" | "test" | "all";
                    /** @description the id of an order; a customer's id (`end_user`); the id or a part of the name of an account or a key; a request id of the last days; else words of the model, the metadata, the error, a price, and for those who may export also of the prompt */
                    search?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["OrderDeed"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            409: components["responses"]["adminAskUpstreams-409"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminListWebhookDeliveries: {
        parameters: {
            query?: {
                account_id?: string;
                /** @description a delivery_id: older deliveries */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description default: all */
                mode?: "live" | "test" | "all";
                status?: "pending" | "delivered" | "failed";
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["WebhookDelivery"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    adminRedeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a webhook delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["WebhookDelivery"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["adminCreateAccount-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            413: components["responses"]["adminCreateAccount-413"];
            415: components["responses"]["adminCreateAccount-415"];
            422: components["responses"]["adminCreateAccount-422"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    getExamplePicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                example_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A WebP */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            404: components["responses"]["downloadFile-404"];
            default: components["responses"]["Failure"];
        };
    };
    downloadFile: {
        parameters: {
            query?: {
                download?: "0" | "1";
                /** @description part of the signed address */
                expires?: string;
                /** @description part of the signed address */
                signature?: string;
                variant?: "output" | "original";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description A byte range, such as bytes=0-1023. */
                Range?: string;
            };
            path: {
                /** @description The storage key of the file, as the signed URL contains it. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "audio/flac": string;
                    "audio/mp4": string;
                    "audio/mpeg": string;
                    "audio/ogg": string;
                    "audio/wav": string;
                    "audio/webm": string;
                    "audio/x-matroska": string;
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            /** @description The part of it that `Range` asks for */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "audio/flac": string;
                    "audio/mp4": string;
                    "audio/mpeg": string;
                    "audio/ogg": string;
                    "audio/wav": string;
                    "audio/webm": string;
                    "audio/x-matroska": string;
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            /** @description The storage has the file at this address. */
            302: {
                headers: {
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getCatalog-400"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            410: components["responses"]["downloadFile-410"];
            416: components["responses"]["downloadFile-416"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alive"];
                };
            };
            400: components["responses"]["getLiveness-400"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                /** @description one capability; without it the answer is 503 only when neither orders nor reads are possible */
                for?: "orders" | "reads" | "files";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service can work; `orders` is there while only reads are possible, `service` while it is held. The checks are shown to an admin key only. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            400: components["responses"]["getCatalog-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["downloadFile-403"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    downloadShare: {
        parameters: {
            query?: {
                /** @description 1 = to be saved under a name */
                download?: "0" | "1";
                /** @description part of the link */
                expires?: string;
                /** @description part of the link */
                signature?: string;
                variant?: "output" | "thumbnail";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description A byte range, such as bytes=0-1023. */
                Range?: string;
            };
            path: {
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            /** @description The part of it that `Range` asks for */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            400: components["responses"]["getCatalog-400"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            410: components["responses"]["downloadFile-410"];
            416: components["responses"]["downloadFile-416"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    downloadSharedFile: {
        parameters: {
            query?: {
                /** @description 1 = to be saved under a name */
                download?: "0" | "1";
                /** @description part of the link */
                expires?: string;
                /** @description part of the link */
                signature?: string;
                variant?: "output" | "thumbnail";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description A byte range, such as bytes=0-1023. */
                Range?: string;
            };
            path: {
                number: string;
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            /** @description The part of it that `Range` asks for */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            400: components["responses"]["getCatalog-400"];
            403: components["responses"]["downloadFile-403"];
            404: components["responses"]["downloadFile-404"];
            410: components["responses"]["downloadFile-410"];
            416: components["responses"]["downloadFile-416"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Account"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["Invitation"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["IssuedInvitation"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Invitation"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listAccountKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["AdminKey"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    createAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccountKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["IssuedKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    changeAccountKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an API key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account_view?: boolean;
                    approve_over?: string | null;
                    /** @description 0 = no limit */
                    concurrency?: number;
                    /** @description for each end user that has no limit of its own */
                    end_user_limits?: {
                        day?: string | null;
                        month?: string | null;
                        total?: string | null;
                    };
                    /** @description null = never */
                    expires_at?: string | null;
                    /** @description patterns such as 'flux-*', at least one; null = every model */
                    models?: string[] | null;
                    name?: string;
                    /** @description 0 = no limit */
                    queue?: number;
                    /** @description 0 = no limit */
                    read_rpm?: number;
                    /** @description 0 = no limit */
                    rpm?: number;
                    spend_limits?: {
                        day?: string | null;
                        month?: string | null;
                        total?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AdminKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    revokeAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an API key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["RevokedKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    rotateAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an API key, not its secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description how long the old secret still works
                     * @default 86400
                     */
                    grace_seconds?: number;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["IssuedKey"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listLedger: {
        parameters: {
            query?: {
                /** @description an entry_id: older entries */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description account needs a key made with --account-view */
                scope?: "key" | "account";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["LedgerEntry"][];
                            limit: number;
                            /** @enum {unknown} */
                            scope: "key" | "account";
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description a person_id: those that follow */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Member"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    removeMember: {
        parameters: {
            query?: {
                /** @description true = also revokes the keys that the answer lists, for good */
                revoke_keys?: "true" | "false";
            };
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["MemberDeletion"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Member"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listAccountTasks: {
        parameters: {
            query: {
                /** @description a task_id: older orders */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                type: "image" | "video";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["AccountTask"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getAccountTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["AccountTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getAccountTaskContent: {
        parameters: {
            query?: {
                /** @description 1 = to be saved under a name */
                download?: "0" | "1";
                variant?: "output" | "original" | "thumbnail" | "preview";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description A byte range, such as bytes=0-1023. */
                Range?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            /** @description The part of it that `Range` asks for */
            206: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["getImageContent-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["getImageContent-410"];
            416: components["responses"]["getImageContent-416"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listUpstreamKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["UpstreamKeyList"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    setUpstreamKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                engine: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUpstreamKey"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["UpstreamKeyList"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    removeUpstreamKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                engine: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["UpstreamKeyRemoval"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description the next_after of the page before: the rows after it, of the same span */
                after?: string;
                /** @description only tasks of this end user */
                end_user?: string;
                /** @description a date or time; by default 30 days before to */
                from?: string;
                /** @description one or several of day, model_id, status, end_user, comma-separated */
                group_by?: string;
                /** @description rows at most */
                limit?: number;
                /** @description account needs a key made with --account-view */
                scope?: "key" | "account";
                /** @description the IANA time zone, such as Europe/Berlin, of days and of dates in from and to */
                timezone?: string;
                /** @description also how long results took, as seconds */
                timing?: "true" | "false";
                /** @description a date or time, itself excluded; by default now */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["UsageReport"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getWebhookUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            /** @description Null = no default: only orders with webhook_url are notified. */
                            url: string | null;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    setWebhookUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null = no default: only orders with webhook_url are notified. */
                    url: string | null;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            /** @description Null = no default: only orders with webhook_url are notified. */
                            url: string | null;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description a delivery_id: older deliveries */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description account needs a key made with --account-view */
                scope?: "key" | "account";
                status?: "pending" | "delivered" | "failed";
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["WebhookDelivery"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a webhook delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["WebhookDelivery"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getWebhookSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["WebhookSecret"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["WebhookSecret"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description by default the default URL
                     */
                    url?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["WebhookTest"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description a batch_id: older batches */
                after?: string;
                /** @description ISO 8601 */
                created_after?: string;
                /** @description ISO 8601 */
                created_before?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                status?: "processing" | "succeeded" | "failed" | "partial" | "canceled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Batch"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    createBatch: {
        parameters: {
            query?: {
                /** @description a JSON object; only for application/jsonl */
                deliver_to?: string;
                /** @description as in the JSON body; only for application/jsonl */
                max_parallel?: string;
                /** @description as in the JSON body; only for application/jsonl */
                max_price?: string;
                /** @description a JSON object; only for application/jsonl */
                metadata?: string;
                /** @description the speed of orders that say none; also beside a JSON body */
                speed?: string;
                /** @description as in the JSON body; only for application/jsonl */
                webhook_url?: string;
            };
            header?: {
                /** @description Repeating a request with the same key and body returns the same task, without a second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10,000 orders. As application/jsonl: one order per line, the other fields in the query. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchOrder"];
                "application/jsonl": components["schemas"]["BatchOrder"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["Batch"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["createImage-400"];
            401: components["responses"]["getReadiness-401"];
            402: components["responses"]["createImage-402"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImageAction-404"];
            409: components["responses"]["createImageAction-409"];
            410: components["responses"]["createImage-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["createImage-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["createImage-503"];
            default: components["responses"]["Failure"];
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a batch of your key. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Batch"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a batch of your key. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Batch"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    streamBatchEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a batch of your key. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events named `batch`, whose data is the batch as a retrieval gives it */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getBatchReceipt: {
        parameters: {
            query?: {
                /** @description account needs a key made with --account-view */
                scope?: "key" | "account";
            };
            header?: never;
            path: {
                /** @description The id of a batch of your key. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            content: components["schemas"]["BatchReceipt"];
                            /**
                             * @description The receipt, signed: a compact JWS (RFC 7515) whose payload is canonical JSON (RFC 8785).
                             * @example eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.eyJpc3N1ZXIiOiJodHRwczovLy4uLiJ9.c2lnbmF0dXJl
                             */
                            jws: string;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            409: components["responses"]["deleteImage-409"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getBatchResults: {
        parameters: {
            query?: {
                /** @description zip: the outputs, named by batch_name or task_id, without compression; missing.jsonl lists tasks without one. */
                format?: "jsonl" | "zip";
            };
            header?: never;
            path: {
                /** @description The id of a batch of your key. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One task per line, as a retrieval gives it; or the outputs, as an archive */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/zip": string;
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listBatchTasks: {
        parameters: {
            query?: {
                /** @description a task_id: those after it */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                status?: "queued" | "processing" | "succeeded" | "failed" | "canceled";
            };
            header?: never;
            path: {
                /** @description The id of a batch of your key. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Task"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    quoteBatch: {
        parameters: {
            query?: {
                /** @description a JSON object; only for application/jsonl */
                deliver_to?: string;
                /** @description as in the JSON body; only for application/jsonl */
                max_parallel?: string;
                /** @description as in the JSON body; only for application/jsonl */
                max_price?: string;
                /** @description a JSON object; only for application/jsonl */
                metadata?: string;
                /** @description the speed of orders that say none; also beside a JSON body */
                speed?: string;
                /** @description as in the JSON body; only for application/jsonl */
                webhook_url?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 10,000 orders. As application/jsonl: one order per line, the other fields in the query. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchOrder"];
                "application/jsonl": components["schemas"]["BatchOrder"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["BatchQuote"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["createImage-400"];
            401: components["responses"]["getReadiness-401"];
            402: components["responses"]["createImage-402"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImageAction-404"];
            409: components["responses"]["createImageAction-409"];
            410: components["responses"]["createImage-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["createImage-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["createImage-503"];
            default: components["responses"]["Failure"];
        };
    };
    getCatalog: {
        parameters: {
            query?: {
                type?: "image" | "video";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["Model"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getCatalog-400"];
            429: components["responses"]["getCatalog-429"];
            500: components["responses"]["getCatalog-500"];
            503: components["responses"]["getCatalog-503"];
            default: components["responses"]["Failure"];
        };
    };
    createClientToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewClientToken"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["ClientToken"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listDestinations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["Destination"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Destination"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    setDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDestination"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Destination"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    removeDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an engine or the id of a model. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["DestinationRemoval"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listEndUsers: {
        parameters: {
            query?: {
                /** @description an end_user: those that follow it by name */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["EndUser"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getEndUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own customer, as in end_user of an order. */
                end_user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["EndUser"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    setEndUserLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own customer, as in end_user of an order. */
                end_user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndUserChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["EndUser"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    deleteEndUserLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own customer, as in end_user of an order. */
                end_user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["EndUser"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    streamTaskEvents: {
        parameters: {
            query: {
                /** @description one task_id or several, comma-separated; at most 50 */
                tasks: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events named `task`, whose data is the task as a retrieval gives it */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listExamples: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["ModelExample"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    uploadFile: {
        parameters: {
            query?: {
                /** @description Your own customer whose file it is. */
                end_user?: string;
            };
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
                "audio/*": string;
                "image/*": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The only part of the body.
                     */
                    file: string;
                };
                "video/*": string;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["File"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            409: components["responses"]["uploadFile-409"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["uploadFile-503"];
            default: components["responses"]["Failure"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a file of your key. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["File"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            410: components["responses"]["getFile-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a file of your key. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["FileDeletion"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listImages: {
        parameters: {
            query?: {
                /** @description a task_id: the tasks that follow it in the list, older ones */
                after?: string;
                /** @description the tasks of this batch */
                batch_id?: string;
                /** @description ISO 8601, such as 2026-11-20T00:00:00Z */
                created_after?: string;
                /** @description ISO 8601, such as 2026-11-21T00:00:00Z */
                created_before?: string;
                end_user?: string;
                /** @description tags: each task of the answer has its `tags` */
                include?: "tags";
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                model_id?: string;
                /** @description entries to skip, at most 10000 */
                offset?: number;
                parent_task_id?: string;
                /** @description words that the prompt or the model_id contains, in any order and case; or one exact task_id. Page with `next_after`. */
                search?: string;
                /** @description one or several of queued, processing, succeeded, failed, canceled, comma-separated */
                status?: string;
                /**
                 * @description 1 to 40 characters without control characters; spaces around it are removed
                 * @example favourite
                 */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["ImageTaskPage"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    createImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Same as the field simulate. Test keys only.
                 * @example outcome=timeout; seconds=3
                 */
                "Darkroom-Simulate"?: string;
                /** @description Repeating a request with the same key and body returns the same task, without a second charge. */
                "Idempotency-Key"?: string;
                /** @description wait=N answers once the task is final, or after N seconds (1 to 60). */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Models accept further fields: see input_schema of GET /v1/models/{model_id}. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageOrder"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["Task"] | components["schemas"]["DeletedTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["createImage-400"];
            401: components["responses"]["getReadiness-401"];
            402: components["responses"]["createImage-402"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImage-404"];
            409: components["responses"]["createImage-409"];
            410: components["responses"]["createImage-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["createImage-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["createImage-503"];
            default: components["responses"]["Failure"];
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description wait=N answers once the task is final, or after N seconds (1 to 60). */
                Prefer?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    deleteImage: {
        parameters: {
            query?: {
                /** @description seconds until the prompt and the files are erased; the task is hidden at once, and can be restored until then */
                after?: number;
            };
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["TaskDeletion"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["streamImageEvents-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    cancelImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            409: components["responses"]["cancelImage-409"];
            410: components["responses"]["streamImageEvents-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getImageContent: {
        parameters: {
            query?: {
                /** @description 1 = to be saved under a name */
                download?: "0" | "1";
                variant?: "output" | "original" | "thumbnail" | "preview";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description A byte range, such as bytes=0-1023. */
                Range?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description The part of it that `Range` asks for */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": string;
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description The storage has the file at this address. */
            302: {
                headers: {
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["getImageContent-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["getImageContent-410"];
            416: components["responses"]["getImageContent-416"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    redeliverImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["getImageContent-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["getImageContent-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    streamImageEvents: {
        parameters: {
            query?: {
                /** @description part of a signed address */
                expires?: string;
                /** @description part of a signed address; without one a bearer is needed */
                signature?: string;
            };
            header?: {
                /** @description The id of the last event that was received. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events named `task`, whose data is the task as a retrieval gives it */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Nothing more will come: `Last-Event-ID` names the final revision */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getImageReceipt: {
        parameters: {
            query?: {
                /** @description account needs a key made with --account-view */
                scope?: "key" | "account";
            };
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            content: components["schemas"]["TaskReceipt"];
                            /**
                             * @description The receipt, signed: a compact JWS (RFC 7515) whose payload is canonical JSON (RFC 8785).
                             * @example eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.eyJpc3N1ZXIiOiJodHRwczovLy4uLiJ9.c2lnbmF0dXJl
                             */
                            jws: string;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    restoreImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getImageTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["TaskTags"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    setImageTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTaskTags"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["TaskTags"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["getFile-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    createImageAction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Same as the field simulate. Test keys only.
                 * @example outcome=timeout; seconds=3
                 */
                "Darkroom-Simulate"?: string;
                /** @description Repeating a request with the same key and body returns the same task, without a second charge. */
                "Idempotency-Key"?: string;
                /** @description wait=N answers once the task is final, or after N seconds (1 to 60). */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Actions accept further fields: see the parent's available_actions. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActionOrder"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["Task"] | components["schemas"]["DeletedTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["createImage-400"];
            401: components["responses"]["getReadiness-401"];
            402: components["responses"]["createImage-402"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImageAction-404"];
            409: components["responses"]["createImageAction-409"];
            410: components["responses"]["createImage-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["createImage-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["createImage-503"];
            default: components["responses"]["Failure"];
        };
    };
    listModels: {
        parameters: {
            query?: {
                type?: "image" | "video";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["Model"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of a model, or an alias of it. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["ModelWithSchema"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImage-404"];
            410: components["responses"]["createImage-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listModelExamples: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a model, or an alias of it. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            items: components["schemas"]["ModelExample"][];
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImage-404"];
            410: components["responses"]["createImage-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    quotePrice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The body of a create or of a follow-up action. Models accept further fields: see input_schema of GET /v1/models/{model_id}. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceQuestion"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Quote"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["createImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImageAction-404"];
            409: components["responses"]["quotePrice-409"];
            410: components["responses"]["createImage-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    comparePrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Orders whose prices are compared. */
        requestBody: {
            content: {
                "application/json": {
                    orders: ({
                        /** @description A follow-up action, to get its price. */
                        action?: string | null;
                        /** @description Width to height, such as 16:9: one of the model's values. */
                        aspect_ratio?: string | null;
                        /** @description transparent, opaque or auto. */
                        background?: string | null;
                        /** @description One of the model's camera movements. */
                        camera?: string | null;
                        /** @description Where the outputs are copied to; by default the account's default destination. */
                        deliver_to?: {
                            /** @description The name of a destination of your account: PUT /v1/destinations/{name}. */
                            destination?: string;
                            /**
                             * Format: uri
                             * @description A presigned PUT URL for the first output.
                             */
                            url?: string;
                            /** @description A presigned PUT URL for each output, in their order. */
                            urls?: string[];
                        } | null;
                        /** @description The length in seconds. */
                        duration?: (string | number) | null;
                        /** @description Your own customer. */
                        end_user?: string | null;
                        /** @description The first frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        first_frame_url?: string | null;
                        /** @description Frames per second. */
                        fps?: number | null;
                        /** @description Whether the video has sound. */
                        generate_audio?: boolean | null;
                        /** @description How closely the output follows the prompt. */
                        guidance_scale?: number | null;
                        /** @description Reference images. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        image_urls?: string[] | null;
                        /** @description The tile, for actions on a grid. */
                        index?: number | null;
                        /** @description The last frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        last_frame_url?: string | null;
                        /** @description The area to change, in white. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        mask_url?: string | null;
                        /** @description US dollars. A more expensive order is refused with 409 price_exceeded. */
                        max_price?: (string | number) | null;
                        /** @description Up to 16 pairs of your own, returned with the task. */
                        metadata?: {
                            [key: string]: string;
                        } | null;
                        /** @description The id of a model. GET /v1/models lists the models that your key can order. */
                        model_id: string;
                        /** @description What the output should not show. */
                        negative_prompt?: string | null;
                        /** @description Always 1: one task makes one output. */
                        num_images?: number | null;
                        /** @description The quality of a jpeg or webp file, in percent. */
                        output_compression?: number | null;
                        /** @description The file type: png, jpeg or webp. */
                        output_format?: string | null;
                        /** @description The task that the action follows up on. */
                        parent_task_id?: string | null;
                        /** @description The description of the output. Some models accept a reference instead. */
                        prompt?: string | null;
                        /** @description Whether the vendor rewrites the prompt. */
                        prompt_enhance?: boolean | null;
                        /** @description One of the model's quality levels. */
                        quality?: string | null;
                        /** @description Reference sounds. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        reference_audio_urls?: string[] | null;
                        /** @description Reference videos. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        reference_video_urls?: string[] | null;
                        /** @description The size class, such as 1K or 720p: one of the model's values. */
                        resolution?: string | null;
                        /** @description The same seed with the same request gives a similar output. */
                        seed?: number | null;
                        /** @description How the task ends. Test keys only. */
                        simulate?: {
                            /** @description Whether the output explains how the prompt was understood. */
                            explain?: boolean;
                            /** @enum {unknown} */
                            outcome?: "succeeded" | "content_policy" | "upstream_error" | "timeout" | "outcome_unknown" | "stuck" | "late";
                            seconds?: number;
                        } | null;
                        /** @description The exact size as WIDTHxHEIGHT in pixels, instead of resolution and aspect_ratio. */
                        size?: string | null;
                        /** @description One of the model's speeds. batch costs less and is made within 24 hours. */
                        speed?: string | null;
                        /** @description The number of sampling steps. */
                        steps?: number | null;
                        /** @description How far the output may differ from the reference, from 0 to 1. */
                        strength?: number | null;
                        /** @description One of the model's styles. */
                        style?: string | null;
                        /** @description Images whose style is used. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        style_image_urls?: string[] | null;
                        /** @description The video to edit or extend. A URL, a data URI, upload:<file_id> or task:<task_id>. */
                        video_url?: string | null;
                        /** @description Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
                        wait_for_parent?: boolean | null;
                        /** @description Whether the vendor marks the output. */
                        watermark?: boolean | null;
                        /** @description URL that is notified when the task is final. */
                        webhook_url?: string | null;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["QuoteList"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    findOrigin: {
        parameters: {
            query: {
                /**
                 * @description the SHA-256 of the file, in lowercase hex
                 * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                 */
                sha256: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Origin"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    findOriginOfFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Origin"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description the next_after of the page before: older ones */
                after?: string;
                /** @description the code of an error */
                code?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description ISO 8601, such as 2026-11-20T00:00:00Z */
                since?: string;
                /** @description a status such as 404, a class such as 4xx, or failed: 400 and above */
                status?: string;
                /** @description ISO 8601; itself excluded */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["LoggedRequest"][];
                            limit: number;
                            /** @description Send it as after to get the next page; null = this is the last page. */
                            next_after: string | null;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listShares: {
        parameters: {
            query?: {
                /** @description a share_id: the links that follow it, older ones */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                /** @description the links that show this task */
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Share"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    createShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["Share"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["getImageContent-404"];
            409: components["responses"]["createShare-409"];
            410: components["responses"]["getFile-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Share"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    deleteShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["ShareDeletion"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["findOrigin-404"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description a tag: those that follow it by name */
                after?: string;
                /** @description entries of a page, 1 to 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            has_more: boolean;
                            items: components["schemas"]["Tag"][];
                            limit: number;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description a task_id: the tasks that follow it in the list, older ones */
                after?: string;
                /** @description the tasks of this batch */
                batch_id?: string;
                /** @description ISO 8601, such as 2026-11-20T00:00:00Z */
                created_after?: string;
                /** @description ISO 8601, such as 2026-11-21T00:00:00Z */
                created_before?: string;
                end_user?: string;
                /** @description tags: each task of the answer has its `tags` */
                include?: "tags";
                /** @description entries of a page, 1 to 100 */
                limit?: number;
                model_id?: string;
                /** @description from 1 */
                page?: number;
                parent_task_id?: string;
                /** @description words that the prompt or the model_id contains, in any order and case; or one exact task_id. Page with `next_after`. */
                search?: string;
                /** @description one or several of queued, processing, succeeded, failed, canceled, comma-separated */
                status?: string;
                /**
                 * @description 1 to 40 characters without control characters; spaces around it are removed
                 * @example favourite
                 */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["VideoTaskPage"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    createVideo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Same as the field simulate. Test keys only.
                 * @example outcome=timeout; seconds=3
                 */
                "Darkroom-Simulate"?: string;
                /** @description Repeating a request with the same key and body returns the same task, without a second charge. */
                "Idempotency-Key"?: string;
                /** @description wait=N answers once the task is final, or after N seconds (1 to 60). */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Models accept further fields: see input_schema of GET /v1/models/{model_id}. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoOrder"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 201;
                        data: components["schemas"]["Task"] | components["schemas"]["DeletedTask"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["createImage-400"];
            401: components["responses"]["getReadiness-401"];
            402: components["responses"]["createImage-402"];
            403: components["responses"]["createImage-403"];
            404: components["responses"]["createImage-404"];
            409: components["responses"]["createImage-409"];
            410: components["responses"]["createImage-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["createImage-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["createImage-503"];
            default: components["responses"]["Failure"];
        };
    };
    getVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description wait=N answers once the task is final, or after N seconds (1 to 60). */
                Prefer?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    deleteVideo: {
        parameters: {
            query?: {
                /** @description seconds until the prompt and the files are erased; the task is hidden at once, and can be restored until then */
                after?: number;
            };
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["TaskDeletion"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["streamImageEvents-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    cancelVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            409: components["responses"]["cancelImage-409"];
            410: components["responses"]["streamImageEvents-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getVideoContent: {
        parameters: {
            query?: {
                /** @description 1 = to be saved under a name */
                download?: "0" | "1";
                variant?: "output" | "original" | "thumbnail" | "preview";
            };
            header?: {
                /** @description The ETag of an earlier answer. The answer is 304 if nothing changed. */
                "If-None-Match"?: string;
                /** @description A byte range, such as bytes=0-1023. */
                Range?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            /** @description The part of it that `Range` asks for */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "video/mp4": string;
                    "video/quicktime": string;
                    "video/webm": string;
                    "video/x-matroska": string;
                };
            };
            /** @description The storage has the file at this address. */
            302: {
                headers: {
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nothing changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["getImageContent-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["getImageContent-410"];
            416: components["responses"]["getImageContent-416"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    redeliverVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["getImageContent-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["getImageContent-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    streamVideoEvents: {
        parameters: {
            query?: {
                /** @description part of a signed address */
                expires?: string;
                /** @description part of a signed address; without one a bearer is needed */
                signature?: string;
            };
            header?: {
                /** @description The id of the last event that was received. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events named `task`, whose data is the task as a retrieval gives it */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Nothing more will come: `Last-Event-ID` names the final revision */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getVideoReceipt: {
        parameters: {
            query?: {
                /** @description account needs a key made with --account-view */
                scope?: "key" | "account";
            };
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: {
                            content: components["schemas"]["TaskReceipt"];
                            /**
                             * @description The receipt, signed: a compact JWS (RFC 7515) whose payload is canonical JSON (RFC 8785).
                             * @example eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.eyJpc3N1ZXIiOiJodHRwczovLy4uLiJ9.c2lnbmF0dXJl
                             */
                            jws: string;
                        };
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            409: components["responses"]["deleteImage-409"];
            410: components["responses"]["streamImageEvents-410"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    restoreVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["Task"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["streamImageEvents-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            422: components["responses"]["createImage-422"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    getVideoTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["TaskTags"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["streamImageEvents-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    setVideoTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a task of your key. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTaskTags"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        code: 200;
                        data: components["schemas"]["TaskTags"];
                        /** @enum {string} */
                        message: "ok";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["deleteImage-400"];
            401: components["responses"]["getReadiness-401"];
            403: components["responses"]["streamImageEvents-403"];
            404: components["responses"]["streamImageEvents-404"];
            410: components["responses"]["getFile-410"];
            413: components["responses"]["findOriginOfFile-413"];
            415: components["responses"]["findOriginOfFile-415"];
            429: components["responses"]["streamImageEvents-429"];
            500: components["responses"]["streamImageEvents-500"];
            503: components["responses"]["streamImageEvents-503"];
            default: components["responses"]["Failure"];
        };
    };
    onBatchEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the delivery, equal in every attempt.
                 * @example whd_01kafx2r5gq3v8m1t0z6y4n7wd
                 */
                "webhook-id": string;
                /**
                 * @description One signature for each valid secret, separated by spaces: `v1,` and Base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description When the request was sent, in seconds since 1970.
                 * @example 1763640000
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchWebhookEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted; it is sent again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the delivery, equal in every attempt.
                 * @example whd_01kafx2r5gq3v8m1t0z6y4n7wd
                 */
                "webhook-id": string;
                /**
                 * @description One signature for each valid secret, separated by spaces: `v1,` and Base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description When the request was sent, in seconds since 1970.
                 * @example 1763640000
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted; it is sent again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
