import type { Random } from './random.ts'

/** Values seen in responses that later requests can use: ids by prefix, other values by field name. */
export interface Pool {
  add(name: string, value: string): void
  /** Returns a value; undefined if none was seen. */
  draw(name: string, random: Random): string | undefined
  /** Removes a value of a deleted record, unless it is the last one of its name. */
  drop(name: string, value: string): void
  /** Returns the values that the record with this id refers to, such as the knowledge base of a source. */
  relatedTo(id: string): Readonly<Record<string, string>>
  /** Collects the values of a response. */
  collect(body: unknown): void
}

/** Values kept per name: the newest ones, so that most still exist. */
const maxValues = 40
const idForm = /^([a-z]+)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Fields whose values clients send back unchanged. */
const reusedFields = new Set(['nextCursor', 'storageUrl', 'uploadUrl', 'token', 'externalId', 'email', 'phone'])

/** @param excluded values that must never be sent, such as the id of the fuzzer's own token */
export function newPool(excluded: ReadonlySet<string>): Pool {
  const values = new Map<string, string[]>()
  const records = new Map<string, Record<string, string>>()
  const add = (name: string, value: string): void => {
    const list = values.get(name) ?? []
    if (excluded.has(value) || list.includes(value)) return
    values.set(name, [...list, value].slice(-maxValues))
  }
  const collect = (part: unknown, field = ''): void => {
    if (typeof part === 'string') {
      const prefix = idForm.exec(part)?.[1]
      if (prefix !== undefined) add(prefix, part)
      else if (reusedFields.has(field)) add(field, part)
    } else if (Array.isArray(part)) part.slice(0, 5).forEach((each) => collect(each, field))
    else if (typeof part === 'object' && part !== null) {
      if ('id' in part && typeof part.id === 'string') records.set(part.id, idsOf(part))
      for (const [name, value] of Object.entries(part)) collect(value, name)
    }
  }
  return {
    add,
    draw: (name, random) => {
      const list = values.get(name)
      return list === undefined ? undefined : random.pick(list)
    },
    drop(name, value) {
      const rest = values.get(name)?.filter((each) => each !== value) ?? []
      if (rest.length > 0) values.set(name, rest)
    },
    relatedTo: (id) => records.get(id) ?? {},
    collect: (body) => collect(body),
  }
}

const idsOf = (record: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && idForm.test(entry[1])),
  )
