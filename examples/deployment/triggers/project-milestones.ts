// Every project begins with a milestone. Triggers are handed lists: one create for all of them.

interface Change {
  record: { Id: string; Start__c: string }
}

interface Org {
  create(object: string, records: object[]): Promise<unknown>
}

export default {
  object: 'Project__c',

  async afterInsert(changes: Change[], org: Org) {
    await org.create(
      'Milestone__c',
      changes.map(({ record }) => ({ Project__c: record.Id, Title__c: 'Kick-off', Due__c: record.Start__c })),
    )
  },
}
