import { getOrInsert } from '../base/get-or-insert.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { ACCOUNT, ACCOUNT_BEHAVIOUR } from './account.ts'
import { ASSET, ASSET_BEHAVIOUR } from './asset.ts'
import { ATTACHMENT, ATTACHMENT_BEHAVIOUR } from './attachment.ts'
import type { ObjectBehaviour } from './behaviour.ts'
import { BUSINESS_HOURS, BUSINESS_HOURS_BEHAVIOUR } from './business-hours.ts'
import { CAMPAIGN, CAMPAIGN_BEHAVIOUR } from './campaign.ts'
import { CAMPAIGN_MEMBER, CAMPAIGN_MEMBER_BEHAVIOUR } from './campaign-member.ts'
import { CAMPAIGN_MEMBER_STATUS } from './campaign-member-status.ts'
import { CASE, CASE_BEHAVIOUR } from './case.ts'
import { CASE_COMMENT, CASE_COMMENT_BEHAVIOUR } from './case-comment.ts'
import { CONNECTED_APPLICATION, CONNECTED_APPLICATION_BEHAVIOUR } from './connected-application.ts'
import { CONTACT, CONTACT_BEHAVIOUR } from './contact.ts'
import { CONTENT_DOCUMENT, CONTENT_DOCUMENT_BEHAVIOUR } from './content-document.ts'
import { CONTENT_DOCUMENT_LINK, CONTENT_DOCUMENT_LINK_BEHAVIOUR } from './content-document-link.ts'
import { CONTENT_VERSION, CONTENT_VERSION_BEHAVIOUR } from './content-version.ts'
import { CONTRACT, CONTRACT_BEHAVIOUR } from './contract.ts'
import type { Copied } from './derived-record.ts'
import { EMAIL_MESSAGE, EMAIL_MESSAGE_BEHAVIOUR } from './email-message.ts'
import { EVENT, EVENT_BEHAVIOUR } from './event.ts'
import { FIELD_PERMISSIONS, FIELD_PERMISSIONS_BEHAVIOUR } from './field-permissions.ts'
import { LEAD, LEAD_BEHAVIOUR } from './lead.ts'
import { CAMPAIGN_MEMBER_STATUS_BEHAVIOUR } from './member-statuses.ts'
import { OBJECT_PERMISSIONS, OBJECT_PERMISSIONS_BEHAVIOUR } from './object-permissions.ts'
import { OPPORTUNITY, OPPORTUNITY_BEHAVIOUR } from './opportunity.ts'
import { OPPORTUNITY_CONTACT_ROLE, OPPORTUNITY_CONTACT_ROLE_BEHAVIOUR } from './opportunity-contact-role.ts'
import { OPPORTUNITY_LINE_ITEM, OPPORTUNITY_LINE_ITEM_BEHAVIOUR } from './opportunity-line-item.ts'
import { ORDER, ORDER_BEHAVIOUR } from './order.ts'
import { ORDER_ITEM, ORDER_ITEM_BEHAVIOUR } from './order-item.ts'
import { ORGANIZATION, ORGANIZATION_BEHAVIOUR } from './organization.ts'
import { PERMISSION_SET, PERMISSION_SET_BEHAVIOUR } from './permission-set.ts'
import {
  PERMISSION_SET_ASSIGNMENT,
  PERMISSION_SET_ASSIGNMENT_BEHAVIOUR,
} from './permission-set-assignment.ts'
import { PRICEBOOK_ENTRY, PRICEBOOK_ENTRY_BEHAVIOUR } from './pricebook-entry.ts'
import { PRICEBOOK2, PRICEBOOK2_BEHAVIOUR } from './pricebook2.ts'
import { PROFILE, PROFILE_BEHAVIOUR } from './profile.ts'
import { QUOTE, QUOTE_BEHAVIOUR } from './quote.ts'
import { QUOTE_LINE_ITEM, QUOTE_LINE_ITEM_BEHAVIOUR } from './quote-line-item.ts'
import { SETUP_ENTITY_ACCESS, SETUP_ENTITY_ACCESS_BEHAVIOUR } from './setup-entity-access.ts'
import { TASK, TASK_BEHAVIOUR } from './task.ts'
import { USER, USER_BEHAVIOUR } from './user.ts'

const BEHAVIOURS: ReadonlyMap<string, ObjectBehaviour> = new Map([
  [LEAD.name, LEAD_BEHAVIOUR],
  [EVENT.name, EVENT_BEHAVIOUR],
  [EMAIL_MESSAGE.name, EMAIL_MESSAGE_BEHAVIOUR],
  [CAMPAIGN_MEMBER.name, CAMPAIGN_MEMBER_BEHAVIOUR],
  [CAMPAIGN_MEMBER_STATUS.name, CAMPAIGN_MEMBER_STATUS_BEHAVIOUR],
  [CAMPAIGN.name, CAMPAIGN_BEHAVIOUR],
  [ASSET.name, ASSET_BEHAVIOUR],
  [ACCOUNT.name, ACCOUNT_BEHAVIOUR],
  [QUOTE_LINE_ITEM.name, QUOTE_LINE_ITEM_BEHAVIOUR],
  [QUOTE.name, QUOTE_BEHAVIOUR],
  [PRICEBOOK2.name, PRICEBOOK2_BEHAVIOUR],
  [PRICEBOOK_ENTRY.name, PRICEBOOK_ENTRY_BEHAVIOUR],
  [ORDER_ITEM.name, ORDER_ITEM_BEHAVIOUR],
  [OPPORTUNITY_CONTACT_ROLE.name, OPPORTUNITY_CONTACT_ROLE_BEHAVIOUR],
  [OPPORTUNITY_LINE_ITEM.name, OPPORTUNITY_LINE_ITEM_BEHAVIOUR],
  [TASK.name, TASK_BEHAVIOUR],
  [ORDER.name, ORDER_BEHAVIOUR],
  [OPPORTUNITY.name, OPPORTUNITY_BEHAVIOUR],
  [CONTRACT.name, CONTRACT_BEHAVIOUR],
  [CONTACT.name, CONTACT_BEHAVIOUR],
  [CASE.name, CASE_BEHAVIOUR],
  [CASE_COMMENT.name, CASE_COMMENT_BEHAVIOUR],
  [ATTACHMENT.name, ATTACHMENT_BEHAVIOUR],
  [CONNECTED_APPLICATION.name, CONNECTED_APPLICATION_BEHAVIOUR],
  [CONTENT_DOCUMENT.name, CONTENT_DOCUMENT_BEHAVIOUR],
  [CONTENT_DOCUMENT_LINK.name, CONTENT_DOCUMENT_LINK_BEHAVIOUR],
  [CONTENT_VERSION.name, CONTENT_VERSION_BEHAVIOUR],
  [FIELD_PERMISSIONS.name, FIELD_PERMISSIONS_BEHAVIOUR],
  [OBJECT_PERMISSIONS.name, OBJECT_PERMISSIONS_BEHAVIOUR],
  [BUSINESS_HOURS.name, BUSINESS_HOURS_BEHAVIOUR],
  [ORGANIZATION.name, ORGANIZATION_BEHAVIOUR],
  [PERMISSION_SET.name, PERMISSION_SET_BEHAVIOUR],
  [PERMISSION_SET_ASSIGNMENT.name, PERMISSION_SET_ASSIGNMENT_BEHAVIOUR],
  [PROFILE.name, PROFILE_BEHAVIOUR],
  [SETUP_ENTITY_ACCESS.name, SETUP_ENTITY_ACCESS_BEHAVIOUR],
  [USER.name, USER_BEHAVIOUR],
])

/** The behaviour of an object's records; undefined: they are only stored. */
export const findBehaviour = ({ name }: ObjectType): ObjectBehaviour | undefined => BEHAVIOURS.get(name)

/** Fields of an object that follow records which one of its references points to. Names are API names. */
export interface Follower {
  readonly object: string
  readonly reference: string
  /** Fields of the others whose change calls for it. */
  readonly from: readonly string[]
  /** The fields that follow, each with all that it has. */
  readonly sets: Readonly<Record<string, readonly Copied[]>>
}

function makeFollowers(): ReadonlyMap<string, readonly Follower[]> {
  const found = new Map<string, Follower[]>()
  for (const [object, { derivation }] of BEHAVIOURS) {
    const follows = Object.entries(derivation?.follows ?? {})
    const copied = follows.flatMap(([, copies]) => copies)
    for (const reference of new Set(copied.map((one) => one.reference))) {
      const own = copied.filter((one) => one.reference === reference)
      const sets = follows.filter(([, copies]) => copies.some((one) => one.reference === reference))
      const follower = {
        object,
        reference,
        from: own.map(({ field }) => field),
        sets: Object.fromEntries(sets),
      }
      getOrInsert(found, own[0]!.parent, () => []).push(follower)
    }
  }
  return found
}

const FOLLOWERS = makeFollowers()

/** Effects that follow changes of an object's records. */
export const listFollowers = ({ name }: ObjectType): readonly Follower[] => FOLLOWERS.get(name) ?? []
