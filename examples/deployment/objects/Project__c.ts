// The rules of Project__c. Node runs this file as it is. "objectry types" writes the org's types, then
// "import type { Rules } from '../objectry.d.ts'" and "satisfies Rules<'Project__c'>" let your editor know the fields.

interface Project {
  Start__c: string
  End__c: string | null
  Status__c: string
  Budget__c: number | null
}

const DAY = 86_400_000

export default {
  computed: {
    Days__c: ({ Start__c, End__c }: Project) =>
      End__c === null ? null : (Date.parse(End__c) - Date.parse(Start__c)) / DAY + 1,
  },

  validations: {
    EndsAfterItStarts: {
      refuse: ({ Start__c, End__c }: Project) => End__c !== null && End__c < Start__c,
      message: 'A project ends after it starts',
      field: 'End__c',
    },
    BudgetIsFixedOnceActive: {
      refuse: (project: Project, old?: Project) =>
        old?.Status__c === 'Active' && project.Budget__c !== old.Budget__c,
      message: (_: Project, old?: Project) => `The budget of an active project stays ${old?.Budget__c}`,
      field: 'Budget__c',
    },
  },
}
