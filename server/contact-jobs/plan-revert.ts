import type { Selectable } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { columnsOfValues } from '../contacts/history-columns.ts'
import type { ContactRow } from '../contacts/record.ts'
import { changedColumns } from '../db/changed-columns.ts'
import type { ContactChangeTable } from '../db/schema.ts'
import type { Kept } from './kept.ts'

export type StoredChange = Selectable<ContactChangeTable>

/** What a revert does with a contact. */
export interface RevertPlan {
  readonly deletes: boolean
  /** Former values by field, and the positions of the changes that they come from. */
  readonly values: Record<string, unknown>
  readonly origins: Record<string, number>
  readonly kept: Kept[]
}

const nothing: RevertPlan = { deletes: false, values: {}, origins: {}, kept: [] }

export interface History {
  readonly row: ContactRow
  /** All changes of the contact, oldest first. */
  readonly changes: readonly StoredChange[]
  /** Whether the contact has records of others, or a consent that others changed. */
  readonly isUsed: boolean
}

/**
 * Plans the revert of some changes of a contact. A field gets the value before the last changes of its history that are all reverted;
 * if its last change is another one, it keeps its value. A contact that one of the changes created is deleted, unless others use it.
 */
export function planRevert({ row, changes, isUsed }: History, isReverted: (change: StoredChange) => boolean): RevertPlan {
  const reverted = changes.filter(isReverted)
  if (reverted.length === 0) return nothing
  const isCreated = reverted[0]?.former === null
  const whole = (reason: Kept['reason']): Kept => ({ contactId: row.id, field: null, reason })
  if (row.deleted_at !== null) return isCreated ? nothing : { ...nothing, kept: [whole('deleted')] }
  if (isCreated && !isUsed && !isChangedByOthers(changes, isReverted)) return { ...nothing, deletes: true }
  const plan: RevertPlan = { deletes: false, values: {}, origins: {}, kept: isCreated ? [whole('used')] : [] }
  for (const field of new Set(reverted.flatMap(({ changed }) => Object.keys(changed)))) planField(plan, field, { row, changes }, isReverted)
  return plan
}

/** Returns whether others verified a value, or gave a field a value that they have not taken back. */
function isChangedByOthers(changes: readonly StoredChange[], isReverted: (change: StoredChange) => boolean): boolean {
  const others = changes.filter((change) => !isReverted(change))
  if (others.some(({ verified }) => verified !== null && verified.length > 0)) return true
  const fields = new Set(others.flatMap(({ changed }) => Object.keys(changed)))
  return [...fields].some((field) => {
    const entries = changes.filter(({ changed }) => Object.hasOwn(changed, field))
    const last = entries.findLastIndex((change) => !isReverted(change))
    const own = entries.slice(0, last).findLast(isReverted)
    const value = own === undefined ? entries[0]?.former?.[field] : own.changed[field]
    return !isDeepStrictEqual(entries[last]?.changed[field] ?? null, value ?? null)
  })
}

function planField(
  { values, origins, kept }: RevertPlan,
  field: string,
  { row, changes }: Pick<History, 'row' | 'changes'>,
  isReverted: (change: StoredChange) => boolean,
): void {
  const entries = lastingChanges(changes, field)
  if (!entries.some(isReverted)) return
  const lastOther = entries.findLastIndex((change) => !isReverted(change))
  const former = entries.slice(lastOther + 1).find(({ changed }) => Object.hasOwn(changed, field))
  const other = entries[lastOther]
  if (former !== undefined) {
    const value = former.former?.[field] ?? null
    if (hasValue(row, field, value)) return
    values[field] = value
    origins[field] = other?.origins?.[field] ?? other?.position ?? 0
  } else if (other !== undefined && !hasValue(row, field, valueBefore(entries, isReverted, field))) {
    const reason = Object.hasOwn(other.changed, field) ? 'changed' : 'verified'
    kept.push({ contactId: row.id, field, reason, changeId: other.id })
  }
}

/** Returns the changes and verifications of a field, without those that jobs have reverted and the reverts. */
function lastingChanges(changes: readonly StoredChange[], field: string): StoredChange[] {
  const lasting: StoredChange[] = []
  for (const change of changes) {
    if (!Object.hasOwn(change.changed, field) && !change.verified?.includes(field)) continue
    const origin = change.origins?.[field]
    const length = origin === 0 ? 0 : lasting.findIndex(({ position }) => position === origin) + 1
    if (origin === undefined || (length === 0 && origin !== 0)) lasting.push(change)
    else lasting.length = length
  }
  return lasting
}

/** Returns the value before the latest reverted changes: a contact that has it again needs no revert. */
function valueBefore(entries: readonly StoredChange[], isReverted: (change: StoredChange) => boolean, field: string): unknown {
  const last = entries.findLastIndex(isReverted)
  const before = entries.slice(0, last).findLastIndex((change) => !isReverted(change))
  return entries.slice(before + 1).find(({ changed }) => Object.hasOwn(changed, field))?.former?.[field] ?? null
}

const hasValue = (row: ContactRow, field: string, value: unknown): boolean =>
  Object.keys(changedColumns(row, columnsOfValues({ [field]: value }, row))).length === 0

/** Returns the plan without a field, which is kept. */
export function keepField(plan: RevertPlan, contactId: string, field: string, reason: Kept['reason']): RevertPlan {
  const without = <T>(values: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name !== field))
  return { ...plan, values: without(plan.values), origins: without(plan.origins), kept: [...plan.kept, { contactId, field, reason }] }
}
