import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { ACCOUNT } from './account.ts'
import { ACCOUNT_CONTACT_ROLE } from './account-contact-role.ts'
import { ASSET } from './asset.ts'
import { ATTACHMENT } from './attachment.ts'
import { BACKGROUND_JOB } from './background-job.ts'
import { BUSINESS_HOURS } from './business-hours.ts'
import { CAMPAIGN } from './campaign.ts'
import { CAMPAIGN_MEMBER } from './campaign-member.ts'
import { CAMPAIGN_MEMBER_STATUS } from './campaign-member-status.ts'
import { CASE } from './case.ts'
import { CASE_COMMENT } from './case-comment.ts'
import { CONNECTED_APPLICATION } from './connected-application.ts'
import { CONTACT } from './contact.ts'
import { CONTENT_DOCUMENT } from './content-document.ts'
import { CONTENT_DOCUMENT_LINK } from './content-document-link.ts'
import { CONTENT_VERSION } from './content-version.ts'
import { CONTRACT } from './contract.ts'
import { EMAIL_MESSAGE } from './email-message.ts'
import { EVENT } from './event.ts'
import { FIELD_PERMISSIONS } from './field-permissions.ts'
import { GROUP } from './group.ts'
import { GROUP_MEMBER } from './group-member.ts'
import { LEAD } from './lead.ts'
import { LIST_VIEW } from './list-view.ts'
import { NOTE } from './note.ts'
import { OBJECT_PERMISSIONS } from './object-permissions.ts'
import { OPPORTUNITY } from './opportunity.ts'
import { OPPORTUNITY_CONTACT_ROLE } from './opportunity-contact-role.ts'
import { OPPORTUNITY_HISTORY } from './opportunity-history.ts'
import { OPPORTUNITY_LINE_ITEM } from './opportunity-line-item.ts'
import { ORDER } from './order.ts'
import { ORDER_ITEM } from './order-item.ts'
import { ORGANIZATION } from './organization.ts'
import { PERMISSION_SET } from './permission-set.ts'
import { PERMISSION_SET_ASSIGNMENT } from './permission-set-assignment.ts'
import { PRICEBOOK_ENTRY } from './pricebook-entry.ts'
import { PRICEBOOK2 } from './pricebook2.ts'
import { PRODUCT2 } from './product2.ts'
import { PROFILE } from './profile.ts'
import { QUOTE } from './quote.ts'
import { QUOTE_LINE_ITEM } from './quote-line-item.ts'
import { RECORD_TYPE } from './record-type.ts'
import { SETUP_ENTITY_ACCESS } from './setup-entity-access.ts'
import { TASK } from './task.ts'
import { USER } from './user.ts'
import { USER_ROLE } from './user-role.ts'
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
import { WEBHOOK_DELIVERY } from './webhook-delivery.ts'

/** Every object that an org has from the start; parents roughly before children. */
export const STANDARD_OBJECTS: readonly ObjectDefinition[] = [
  ORGANIZATION,
  PROFILE,
  USER_ROLE,
  USER,
  GROUP,
  GROUP_MEMBER,
  RECORD_TYPE,
  LIST_VIEW,
  BUSINESS_HOURS,
  CONNECTED_APPLICATION,
  PERMISSION_SET,
  PERMISSION_SET_ASSIGNMENT,
  OBJECT_PERMISSIONS,
  FIELD_PERMISSIONS,
  SETUP_ENTITY_ACCESS,
  WEBHOOK_DELIVERY,
  BACKGROUND_JOB,
  ACCOUNT,
  CONTACT,
  ACCOUNT_CONTACT_ROLE,
  CAMPAIGN,
  PRODUCT2,
  PRICEBOOK2,
  PRICEBOOK_ENTRY,
  CONTRACT,
  OPPORTUNITY,
  OPPORTUNITY_HISTORY,
  OPPORTUNITY_LINE_ITEM,
  OPPORTUNITY_CONTACT_ROLE,
  LEAD,
  CAMPAIGN_MEMBER,
  CAMPAIGN_MEMBER_STATUS,
  QUOTE,
  QUOTE_LINE_ITEM,
  ORDER,
  ORDER_ITEM,
  ASSET,
  CASE,
  CASE_COMMENT,
  TASK,
  EVENT,
  EMAIL_MESSAGE,
  NOTE,
  ATTACHMENT,
  CONTENT_DOCUMENT,
  CONTENT_VERSION,
  CONTENT_DOCUMENT_LINK,
  USER_LICENSE,
  CUSTOM_PERMISSION,
  QUEUE_SOBJECT,
  ...STATUS_TABLES,
  ENTITY_DEFINITION,
  FIELD_DEFINITION,
  RECENTLY_VIEWED,
  USER_RECORD_ACCESS,
  OPEN_ACTIVITY,
  ACTIVITY_HISTORY,
  ATTACHED_CONTENT_DOCUMENT,
  COMBINED_ATTACHMENT,
  NOTE_AND_ATTACHMENT,
  LOGIN_HISTORY,
  ASYNC_APEX_JOB,
  CRON_JOB_DETAIL,
  CRON_TRIGGER,
  ...EMPTY_OBJECTS,
]
