import type { ObjectType } from '../../schema/objects/object-type.ts'
import { checkValidations, hasValidations } from '../formulas/check-validations.ts'
import { changesState, keepsStates, planFirstStates, planNextStates } from '../history/keep-states.ts'
import { checkAllowedValues, limitsValues } from '../prepare/allowed-values.ts'
import { nameById, needsName } from '../prepare/defaults.ts'
import { checkOwners } from '../prepare/owner.ts'
import { throwRefusals } from '../prepare/planned-record.ts'
import { checkRequired } from '../prepare/validate.ts'
import { changeLevel, findUnwritable, hasWriteRules } from '../read/row-access.ts'
import { makeAuditFields } from './audit-fields.ts'
import { groupIntoBatches } from './batches.ts'
import { changeByTriggers } from './change-by-triggers.ts'
import { checkHierarchy } from './check-hierarchy.ts'
import { deleteCascading, refuseUndeleted } from './delete-cascading.ts'
import { derivesFrom, derivesNew, deriveValues } from './derive-values.ts'
import { followChanges, mayBeFollowed } from './follow-changes.ts'
import { isObserved, tellObservers, tellWritten } from './observers.ts'
import { addUpAgain, applyEffects, raiseLatest } from './parent-effects.ts'
import {
  mayAffectParents,
  type PendingEffects,
  planChangeEffects,
  planInsertEffects,
  planStoredEffects,
  withMoved,
} from './plan-effects.ts'
import type { RecordWrite, Step, WriteCause } from './record-write.ts'
import { hasReferences, lockAddedReferences, lockReferences } from './references.ts'
import { followRestored, restoreAll } from './restore-records.ts'
import {
  changesMore,
  completeRecords,
  completes,
  findCalling,
  findReferences,
  insertsMore,
  mayRefuseChanges,
  refuseChanges,
  refuseDeletes,
  runAfterChange,
  runAfterInsert,
  runBeforeChange,
  runBeforeInsert,
} from './run-behaviour.ts'
import { lockOld, runAfterTriggers, runBeforeDelete } from './trigger-steps.ts'
import { hasTrigger, hasTriggers } from './triggers.ts'
import { getIds, isOneChange, lockAll, writeChanges, writeNew } from './write-changes.ts'

/*
 * The steps of a write, in their order. Every write of records runs through this table: those of callers, of parents that follow
 * from them, and of records that the platform adds. (docs/explanation/what-happens-in-a-write.md)
 */

const CALL: readonly WriteCause[] = ['call']
/** Records that are written as a caller's are; those that the platform adds are not. */
const WHOLE: readonly WriteCause[] = ['call', 'effect']
/** With records that the platform adds, which are no parents. */
const ADDED: readonly WriteCause[] = ['call', 'added']
const ALL: readonly WriteCause[] = ['call', 'effect', 'added']

const purposeOf = ({ kind }: RecordWrite): 'create' | 'update' => (kind === 'insert' ? 'create' : 'update')

const inTransaction = (isNeeded: boolean) => (isNeeded ? 'transaction' : undefined)
const inProcess = (isNeeded: boolean) => (isNeeded ? 'process' : undefined)

/** Deletions and restorations are several statements anyway. */
const always = () => 'transaction' as const

/** The parents that records of one object change, of those that a deletion or a restoration has reached. */
async function findReached(
  { kind, cause, ctx, object, effects, records }: RecordWrite,
  type: ObjectType,
  ids: Iterable<string>,
): Promise<PendingEffects> {
  if (kind === 'undelete' || type !== object) return planStoredEffects(ctx, type, [...ids])
  // Somebody else may have given a record another parent before it was locked.
  return cause === 'added' ? effects : withMoved(ctx, type, effects, records)
}

export const STEPS: readonly Step[] = [
  {
    does: 'refuses records that the caller may not write, and locks them',
    of: { update: CALL, delete: CALL },
    need: ({ kind, ctx, object, records }) =>
      inTransaction(kind === 'delete' || hasWriteRules(ctx, object, records)),
    async run({ kind, ctx, object, records }) {
      const levelOf = kind === 'delete' ? () => 'full' as const : changeLevel(object)
      throwRefusals(await findUnwritable(ctx, object, records, levelOf))
    },
  },
  {
    does: 'refuses deletions that the behaviour of the object does not allow',
    of: { delete: CALL },
    need: always,
    run: async ({ ctx, object, records }, { added }) =>
      throwRefusals(await refuseDeletes(ctx, object, records, added)),
  },
  {
    does: 'locks the records and runs the before-triggers',
    of: { insert: CALL, update: WHOLE, delete: CALL },
    need: ({ kind, ctx, object }) => inTransaction(hasTriggers(ctx, object, kind)),
    async run(write) {
      const { kind, ctx, object, records } = write
      if (kind !== 'insert' && hasTriggers(ctx, object, kind)) write.old = await lockOld(write)
      if (kind === 'delete') return runBeforeDelete(write)
      return changeByTriggers(
        ctx,
        object,
        kind === 'insert' ? 'beforeInsert' : 'beforeUpdate',
        records.map((item) => ({ item, old: write.old?.get(item.id) })),
        (values) => checkRequired(object, values, purposeOf(write)),
      )
    },
  },
  {
    does: 'completes the values that the platform knows, and refuses those that contradict each other',
    of: { insert: CALL, update: WHOLE },
    // Records of a list may be completed differently.
    need: (write) =>
      !completes(write.object, purposeOf(write))
        ? undefined
        : (inTransaction(write.kind === 'update' && write.records.length > 1) ?? 'process'),
    run: (write) => throwRefusals(completeRecords(write.ctx, write.object, write.records, purposeOf(write))),
  },
  {
    does: 'sets references that follow from other references',
    of: { insert: CALL },
    need: ({ object, records }) => inTransaction(insertsMore(object, records)),
    run({ ctx, object, records }, { added }) {
      // It and the hooks that follow set values, which another try does not begin with.
      if (insertsMore(object, records)) for (const record of records) record.values = new Map(record.values)
      return findReferences(ctx, object, records, added)
    },
  },
  {
    does: 'locks the parents that the write will change, from above',
    of: { insert: ADDED, update: ALL, delete: ADDED },
    need({ kind, ctx, object, records }) {
      if (kind === 'delete') return 'transaction'
      if (kind === 'insert') return inTransaction(hasReferences(ctx, records))
      return inTransaction(records.some(({ prepared }) => mayAffectParents(object, prepared)))
    },
    async run(write) {
      const { kind, ctx, object, records, known } = write
      if (kind === 'insert') write.effects = await planInsertEffects(ctx, object, records)
      else if (kind === 'update') write.effects = await planChangeEffects(ctx, object, records, known)
      else write.effects = await planStoredEffects(ctx, object, getIds(records))
    },
  },
  {
    does: 'derives the values that follow from others',
    of: { insert: ADDED, update: ALL },
    need: ({ kind, object, records }) =>
      kind === 'insert'
        ? inProcess(derivesNew(object))
        : inTransaction(records.some(({ prepared }) => derivesFrom(object, prepared))),
    run: async (write) =>
      throwRefusals(await deriveValues(write.ctx, write.object, write.records, purposeOf(write))),
  },
  {
    does: 'names records of custom objects that have no name by their id',
    of: { insert: CALL },
    need: ({ object, records }) => inProcess(records.some(({ values }) => needsName(object, values))),
    run({ object, records }) {
      for (const { id, values } of records) nameById(object, values, id)
    },
  },
  {
    does: 'refuses changes that the behaviour of the object does not allow beside other records',
    of: { update: WHOLE },
    need: ({ object }) => inProcess(mayRefuseChanges(object)),
    run: async ({ ctx, object, records }, { added }) =>
      throwRefusals(await refuseChanges(ctx, object, records, added)),
  },
  {
    does: 'checks record types, and the picklist values that they and controlling fields allow',
    of: { insert: CALL, update: WHOLE },
    need: (write) =>
      inProcess(write.records.some(({ values }) => limitsValues(write.object, values, purposeOf(write)))),
    run: async (write) =>
      throwRefusals(await checkAllowedValues(write.ctx, write.object, write.records, purposeOf(write))),
  },
  {
    does: 'evaluates the validation rules',
    of: { insert: CALL, update: WHOLE },
    need: ({ object }) => inTransaction(hasValidations(object)),
    run: async (write) =>
      throwRefusals(await checkValidations(write.ctx, write.object, write.records, purposeOf(write))),
  },
  {
    does: 'refuses new records beside others, and does what the object does before new records',
    of: { insert: CALL },
    need: ({ object, records }) => inTransaction(insertsMore(object, records)),
    run: ({ ctx, object, records }, { added }) => runBeforeInsert(ctx, object, records, added),
  },
  {
    does: 'refuses references to what is not there or may not be referred to, and keeps their targets from being deleted',
    of: { insert: ADDED, update: ALL },
    need: ({ ctx, records }) => inTransaction(hasReferences(ctx, records)),
    async run({ cause, ctx, object, records }) {
      if (cause === 'added') return lockAddedReferences(ctx, records)
      return throwRefusals(await lockReferences(ctx, object, records))
    },
  },
  {
    does: 'refuses owners who are not active',
    of: { insert: CALL, update: WHOLE },
    need: ({ ctx, records }) => inTransaction(hasReferences(ctx, records)),
    run: async ({ ctx, object, records }) => throwRefusals(await checkOwners(ctx, object, records)),
  },
  {
    does: 'locks the records in the order of their ids, so that two writes do not wait for each other',
    of: { update: WHOLE },
    // One statement does that by itself.
    need: ({ records }) => inTransaction(records.length > 1 && !isOneChange(records)),
    async run({ ctx, object, records, old }) {
      if (old === undefined && records.length > 1 && !isOneChange(records))
        await lockAll(ctx, object, records)
    },
  },
  {
    does: 'does what the object does before changes',
    of: { update: WHOLE },
    need: ({ object, records }) => inTransaction(changesMore(object, records)),
    run: ({ ctx, object, records }, { added }) => runBeforeChange(ctx, object, records, added),
  },
  {
    does: 'locks parents that the records have got meanwhile',
    of: { update: WHOLE },
    need: ({ object, records }) =>
      inTransaction(records.some(({ prepared }) => mayAffectParents(object, prepared))),
    async run(write) {
      const { ctx, object, effects, records, known } = write
      write.effects = await withMoved(ctx, object, effects, records, known)
    },
  },
  {
    does: 'writes new records, with their first states that another object keeps and the events that follow from what is written, deletes records, or restores them',
    of: { insert: ADDED, delete: ADDED, undelete: CALL },
    need: ({ kind, object, records }) =>
      inTransaction(kind !== 'insert' || groupIntoBatches(records).length > 1 || keepsStates(object)) ??
      'process',
    async run(write) {
      const { kind, cause, ctx, object, records } = write
      const audit = makeAuditFields(ctx)
      write.audit = audit
      if (kind === 'delete') {
        write.reached = await deleteCascading(ctx, object, getIds(records), audit)
        if (cause === 'call') await refuseUndeleted(ctx, object, records, write.reached.get(object))
      } else if (kind === 'undelete') write.reached = await restoreAll(ctx, object, records, audit)
      else {
        const states = cause === 'added' ? undefined : await planFirstStates(ctx, object, records)
        await writeNew(write, audit, states)
      }
    },
  },
  {
    does: 'tells observers, such as the history, of changes before they are written, and of all other writes, with what they take along',
    of: { insert: ADDED, update: ALL, delete: ADDED, undelete: CALL },
    need: (write) => inTransaction(isObserved(write)),
    run: tellObservers,
  },
  {
    does: 'writes changes, with the next states that another object keeps and the events that follow from what is written',
    of: { update: ALL },
    need: ({ object, records }) =>
      inTransaction(records.some(({ prepared }) => changesState(object, prepared))) ?? 'process',
    async run(write) {
      const { cause, ctx, object, records } = write
      write.audit ??= makeAuditFields(ctx)
      const states = cause === 'added' ? undefined : planNextStates(ctx, object, records)
      await writeChanges(write, write.audit, states)
    },
  },
  {
    does: 'tells observers, such as change events, what was changed',
    of: { update: ALL },
    need: (write) => inTransaction(isObserved(write)),
    run: tellWritten,
  },
  {
    does: 'refuses records that would stand above themselves, or too far below the top',
    of: { insert: CALL, update: WHOLE },
    need: ({ ctx, records }) => inTransaction(hasReferences(ctx, records)),
    run: async ({ kind, ctx, object, records }) =>
      throwRefusals(await checkHierarchy(ctx, object, records, kind === 'insert')),
  },
  {
    does: 'changes records that have copies of what was changed',
    of: { update: ALL },
    need: ({ object, records }) =>
      inTransaction(records.some(({ prepared }) => mayBeFollowed(object, prepared))),
    run: ({ ctx, object, records }) => followChanges(ctx, object, records),
  },
  {
    does: 'does what the object does after its records were written, and has access read again where they decide it',
    of: { insert: CALL, update: WHOLE, delete: CALL, undelete: CALL },
    need({ kind, object, records }) {
      if (kind === 'insert') return inTransaction(insertsMore(object, records))
      return inTransaction(kind !== 'update' || changesMore(object, records))
    },
    run({ kind, ctx, object, records, reached }, { added }) {
      if (kind === 'insert') return runAfterInsert(ctx, object, records, added)
      if (kind === 'update') return runAfterChange(ctx, object, findCalling(object, records, 'update'), added)
      if (kind === 'delete') return runAfterChange(ctx, object, records, added)
      return followRestored(ctx, object, records, reached, added)
    },
  },
  {
    does: 'changes parents by what the behaviour of the object says, and what a deletion or restoration takes along',
    of: { insert: ADDED, update: ALL, delete: ADDED, undelete: CALL },
    need: () => undefined,
    async run(write, { parents }) {
      const { kind, cause, ctx, object, records, effects, reached } = write
      if (kind === 'insert' || kind === 'update') {
        const when = cause === 'added' ? undefined : 'before triggers'
        return applyEffects(ctx, object, effects, records, parents, when)
      }
      for (const [type, ids] of reached)
        await applyEffects(ctx, type, await findReached(write, type, ids), records, parents)
      // Others may have been taken off the records meanwhile, or by the deletion itself.
      if (kind === 'undelete')
        for (const [type, ids] of reached) await addUpAgain(ctx, type, [...ids], makeAuditFields(ctx))
    },
  },
  {
    does: 'raises what parents have of the latest of their children',
    of: { insert: ADDED },
    need: () => undefined,
    run: ({ ctx, object, records }) => raiseLatest(ctx, object, records),
  },
  {
    does: 'runs the after-triggers',
    of: { insert: CALL, update: WHOLE, delete: CALL, undelete: CALL },
    need({ kind, ctx, object }) {
      if (kind === 'insert') return inTransaction(hasTrigger(ctx, object, 'afterInsert'))
      return inTransaction(kind !== 'update' || hasTrigger(ctx, object, 'afterUpdate'))
    },
    run: runAfterTriggers,
  },
  {
    does: 'changes parents by roll-ups',
    of: { insert: CALL, update: WHOLE },
    need: () => undefined,
    run: ({ ctx, object, effects, records }, { parents }) =>
      applyEffects(ctx, object, effects, records, parents, 'after triggers'),
  },
]
