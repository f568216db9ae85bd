// The module that a deployment's own code imports as 'objectry'.
export { HttpError, OrgError } from './errors.ts'
export { reply } from './reply.ts'
export { type Delivery, type WebhookDefinition, webhook } from './webhook.ts'
