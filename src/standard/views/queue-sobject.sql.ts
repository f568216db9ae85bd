import { withCheckCharacters } from './check-characters.sql.ts'
import { makeViewObject, picklist, reference } from './view-object.ts'

/** Which queues own records of which objects: any queue those of every object whose definition allows queues. */
export const QUEUE_SOBJECT = makeViewObject(
  { name: 'QueueSobject', label: 'Queue Sobject', labelPlural: 'Queue Sobjects', keyPrefix: '03g' },
  [
    reference('QueueId', 'Group ID', 'Group'),
    // Not listed: an org's own objects may have queues too.
    { ...picklist('SobjectType', 'Sobject Type', []), restricted: false },
  ],
  {
    from: `"$org"."group" queue cross join "$org"._object object
           where queue.type = 'Queue' and not queue.isdeleted and (object.definition ->> 'queueable')::boolean`,
    columns: {
      id: withCheckCharacters(`'03g' || (object.definition ->> 'keyPrefix') || substr(queue.id, 7, 9)`),
      queueid: 'queue.id',
      sobjecttype: 'object.name',
      createddate: 'queue.createddate',
      createdbyid: 'queue.createdbyid',
      lastmodifieddate: 'queue.lastmodifieddate',
      lastmodifiedbyid: 'queue.lastmodifiedbyid',
      systemmodstamp: 'queue.systemmodstamp',
    },
  },
)
