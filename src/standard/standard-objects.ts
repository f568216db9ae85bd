import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { EMAIL_MESSAGE, EMAIL_MESSAGE_BEHAVIOUR } from './activities/email-message.ts'
import { EVENT, EVENT_BEHAVIOUR } from './activities/event.ts'
import { TASK, TASK_BEHAVIOUR } from './activities/task.ts'
import type { ObjectBehaviour } from './behaviour/behaviour.ts'
import { ATTACHMENT, ATTACHMENT_BEHAVIOUR } from './files/attachment.ts'
import { CONTENT_DOCUMENT, CONTENT_DOCUMENT_BEHAVIOUR } from './files/content-document.ts'
import { CONTENT_DOCUMENT_LINK, CONTENT_DOCUMENT_LINK_BEHAVIOUR } from './files/content-document-link.ts'
import { CONTENT_VERSION, CONTENT_VERSION_BEHAVIOUR } from './files/content-version.ts'
import { NOTE } from './files/note.ts'
import { ACCOUNT, ACCOUNT_BEHAVIOUR } from './sales/account.ts'
import { ACCOUNT_CONTACT_ROLE } from './sales/account-contact-role.ts'
import { CAMPAIGN, CAMPAIGN_BEHAVIOUR } from './sales/campaign.ts'
import { CAMPAIGN_MEMBER, CAMPAIGN_MEMBER_BEHAVIOUR } from './sales/campaign-member.ts'
import { CAMPAIGN_MEMBER_STATUS } from './sales/campaign-member-status.ts'
import { CONTACT, CONTACT_BEHAVIOUR } from './sales/contact.ts'
import { CONTRACT, CONTRACT_BEHAVIOUR } from './sales/contract.ts'
import { LEAD, LEAD_BEHAVIOUR } from './sales/lead.ts'
import { CAMPAIGN_MEMBER_STATUS_BEHAVIOUR } from './sales/member-statuses.ts'
import { OPPORTUNITY, OPPORTUNITY_BEHAVIOUR } from './sales/opportunity.ts'
import {
  OPPORTUNITY_CONTACT_ROLE,
  OPPORTUNITY_CONTACT_ROLE_BEHAVIOUR,
} from './sales/opportunity-contact-role.ts'
import { OPPORTUNITY_HISTORY } from './sales/opportunity-history.ts'
import { OPPORTUNITY_LINE_ITEM, OPPORTUNITY_LINE_ITEM_BEHAVIOUR } from './sales/opportunity-line-item.ts'
import { ORDER, ORDER_BEHAVIOUR } from './sales/order.ts'
import { ORDER_ITEM, ORDER_ITEM_BEHAVIOUR } from './sales/order-item.ts'
import { PRICEBOOK_ENTRY, PRICEBOOK_ENTRY_BEHAVIOUR } from './sales/pricebook-entry.ts'
import { PRICEBOOK2, PRICEBOOK2_BEHAVIOUR } from './sales/pricebook2.ts'
import { PRODUCT2 } from './sales/product2.ts'
import { QUOTE, QUOTE_BEHAVIOUR } from './sales/quote.ts'
import { QUOTE_LINE_ITEM, QUOTE_LINE_ITEM_BEHAVIOUR } from './sales/quote-line-item.ts'
import { ASSET, ASSET_BEHAVIOUR } from './service/asset.ts'
import { BUSINESS_HOURS, BUSINESS_HOURS_BEHAVIOUR } from './service/business-hours.ts'
import { CASE, CASE_BEHAVIOUR } from './service/case.ts'
import { CASE_COMMENT, CASE_COMMENT_BEHAVIOUR } from './service/case-comment.ts'
import { BACKGROUND_JOB } from './setup/background-job.ts'
import { CONNECTED_APPLICATION, CONNECTED_APPLICATION_BEHAVIOUR } from './setup/connected-application.ts'
import { FIELD_PERMISSIONS, FIELD_PERMISSIONS_BEHAVIOUR } from './setup/field-permissions.ts'
import { GROUP } from './setup/group.ts'
import { GROUP_MEMBER } from './setup/group-member.ts'
import { LIST_VIEW } from './setup/list-view.ts'
import { OBJECT_PERMISSIONS, OBJECT_PERMISSIONS_BEHAVIOUR } from './setup/object-permissions.ts'
import { ORGANIZATION, ORGANIZATION_BEHAVIOUR } from './setup/organization.ts'
import { PERMISSION_SET, PERMISSION_SET_BEHAVIOUR } from './setup/permission-set.ts'
import {
  PERMISSION_SET_ASSIGNMENT,
  PERMISSION_SET_ASSIGNMENT_BEHAVIOUR,
} from './setup/permission-set-assignment.ts'
import { PROFILE, PROFILE_BEHAVIOUR } from './setup/profile.ts'
import { PUSH_TOPIC, PUSH_TOPIC_BEHAVIOUR } from './setup/push-topic.ts'
import { RECORD_TYPE } from './setup/record-type.ts'
import { SETUP_ENTITY_ACCESS, SETUP_ENTITY_ACCESS_BEHAVIOUR } from './setup/setup-entity-access.ts'
import { STREAMING_CHANNEL, STREAMING_CHANNEL_BEHAVIOUR } from './setup/streaming-channel.ts'
import { USER, USER_BEHAVIOUR } from './setup/user.ts'
import { USER_ROLE } from './setup/user-role.ts'
import { WEBHOOK_DELIVERY } from './setup/webhook-delivery.ts'
import { ACTIVITY_HISTORY, OPEN_ACTIVITY } from './views/activities.sql.ts'
import { ASYNC_APEX_JOB } from './views/async-apex-job.sql.ts'
import {
  ATTACHED_CONTENT_DOCUMENT,
  COMBINED_ATTACHMENT,
  NOTE_AND_ATTACHMENT,
} from './views/attachments.sql.ts'
import { CRON_JOB_DETAIL, CRON_TRIGGER } from './views/cron-trigger.sql.ts'
import { CUSTOM_PERMISSION } from './views/custom-permission.sql.ts'
import { EMPTY_OBJECTS } from './views/empty-objects.sql.ts'
import { ENTITY_DEFINITION } from './views/entity-definition.sql.ts'
import { FIELD_DEFINITION } from './views/field-definition.sql.ts'
import { LOGIN_HISTORY } from './views/login-history.sql.ts'
import { QUEUE_SOBJECT } from './views/queue-sobject.sql.ts'
import { RECENTLY_VIEWED } from './views/recently-viewed.sql.ts'
import { STATUS_TABLES } from './views/status-tables.sql.ts'
import { USER_LICENSE } from './views/user-license.sql.ts'
import { USER_RECORD_ACCESS } from './views/user-record-access.sql.ts'

/** Every object that an org has from the start, with its behaviour if it has one; parents roughly before children. */
const OBJECTS: readonly (readonly [ObjectDefinition, ObjectBehaviour?])[] = [
  [ORGANIZATION, ORGANIZATION_BEHAVIOUR],
  [PROFILE, PROFILE_BEHAVIOUR],
  [USER_ROLE],
  [USER, USER_BEHAVIOUR],
  [GROUP],
  [GROUP_MEMBER],
  [RECORD_TYPE],
  [LIST_VIEW],
  [BUSINESS_HOURS, BUSINESS_HOURS_BEHAVIOUR],
  [CONNECTED_APPLICATION, CONNECTED_APPLICATION_BEHAVIOUR],
  [PERMISSION_SET, PERMISSION_SET_BEHAVIOUR],
  [PERMISSION_SET_ASSIGNMENT, PERMISSION_SET_ASSIGNMENT_BEHAVIOUR],
  [OBJECT_PERMISSIONS, OBJECT_PERMISSIONS_BEHAVIOUR],
  [FIELD_PERMISSIONS, FIELD_PERMISSIONS_BEHAVIOUR],
  [SETUP_ENTITY_ACCESS, SETUP_ENTITY_ACCESS_BEHAVIOUR],
  [WEBHOOK_DELIVERY],
  [BACKGROUND_JOB],
  [PUSH_TOPIC, PUSH_TOPIC_BEHAVIOUR],
  [STREAMING_CHANNEL, STREAMING_CHANNEL_BEHAVIOUR],
  [ACCOUNT, ACCOUNT_BEHAVIOUR],
  [CONTACT, CONTACT_BEHAVIOUR],
  [ACCOUNT_CONTACT_ROLE],
  [CAMPAIGN, CAMPAIGN_BEHAVIOUR],
  [PRODUCT2],
  [PRICEBOOK2, PRICEBOOK2_BEHAVIOUR],
  [PRICEBOOK_ENTRY, PRICEBOOK_ENTRY_BEHAVIOUR],
  [CONTRACT, CONTRACT_BEHAVIOUR],
  [OPPORTUNITY, OPPORTUNITY_BEHAVIOUR],
  [OPPORTUNITY_HISTORY],
  [OPPORTUNITY_LINE_ITEM, OPPORTUNITY_LINE_ITEM_BEHAVIOUR],
  [OPPORTUNITY_CONTACT_ROLE, OPPORTUNITY_CONTACT_ROLE_BEHAVIOUR],
  [LEAD, LEAD_BEHAVIOUR],
  [CAMPAIGN_MEMBER, CAMPAIGN_MEMBER_BEHAVIOUR],
  [CAMPAIGN_MEMBER_STATUS, CAMPAIGN_MEMBER_STATUS_BEHAVIOUR],
  [QUOTE, QUOTE_BEHAVIOUR],
  [QUOTE_LINE_ITEM, QUOTE_LINE_ITEM_BEHAVIOUR],
  [ORDER, ORDER_BEHAVIOUR],
  [ORDER_ITEM, ORDER_ITEM_BEHAVIOUR],
  [ASSET, ASSET_BEHAVIOUR],
  [CASE, CASE_BEHAVIOUR],
  [CASE_COMMENT, CASE_COMMENT_BEHAVIOUR],
  [TASK, TASK_BEHAVIOUR],
  [EVENT, EVENT_BEHAVIOUR],
  [EMAIL_MESSAGE, EMAIL_MESSAGE_BEHAVIOUR],
  [NOTE],
  [ATTACHMENT, ATTACHMENT_BEHAVIOUR],
  [CONTENT_DOCUMENT, CONTENT_DOCUMENT_BEHAVIOUR],
  [CONTENT_VERSION, CONTENT_VERSION_BEHAVIOUR],
  [CONTENT_DOCUMENT_LINK, CONTENT_DOCUMENT_LINK_BEHAVIOUR],
  [USER_LICENSE],
  [CUSTOM_PERMISSION],
  [QUEUE_SOBJECT],
  ...STATUS_TABLES.map((definition) => [definition] as const),
  [ENTITY_DEFINITION],
  [FIELD_DEFINITION],
  [RECENTLY_VIEWED],
  [USER_RECORD_ACCESS],
  [OPEN_ACTIVITY],
  [ACTIVITY_HISTORY],
  [ATTACHED_CONTENT_DOCUMENT],
  [COMBINED_ATTACHMENT],
  [NOTE_AND_ATTACHMENT],
  [LOGIN_HISTORY],
  [ASYNC_APEX_JOB],
  [CRON_JOB_DETAIL],
  [CRON_TRIGGER],
  ...EMPTY_OBJECTS.map((definition) => [definition] as const),
]

export const STANDARD_OBJECTS: readonly ObjectDefinition[] = OBJECTS.map(([definition]) => definition)

const BY_NAME = new Map(STANDARD_OBJECTS.map((object) => [object.name.toLowerCase(), object]))

/** Returns the standard object of a name, whatever its case. */
export const findStandardObject = (name: string): ObjectDefinition | undefined =>
  BY_NAME.get(name.toLowerCase())

/** By the names of objects. */
export const BEHAVIOURS: ReadonlyMap<string, ObjectBehaviour> = new Map(
  OBJECTS.flatMap(([{ name }, behaviour]) => (behaviour === undefined ? [] : [[name, behaviour] as const])),
)
