// The module that a deployment's own code imports as 'objectry'.
export { HttpError } from './http-error.ts'
export { OrgError } from './org-error.ts'
export { reply } from './reply.ts'
export { type Delivery, type WebhookDefinition, webhook } from './webhook.ts'
