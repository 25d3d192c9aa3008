import type { Random } from './random.ts'

/** What was seen in replies and can be sent back: ids by their prefix, other values by the name of their field. */
export interface Pool {
  add(name: string, value: string): void
  /** Undefined when nothing of that name was ever seen. */
  draw(name: string, random: Random): string | undefined
  /** Forgets a value that is no more, unless it is the last one of its name. */
  drop(name: string, value: string): void
  /** What the record with this id names by its fields, such as the base of a source. */
  namedBy(id: string): Readonly<Record<string, string>>
  /** Takes in what a reply names. */
  harvest(body: unknown): void
}

/** Values kept of each name: the newest, so that most of them still exist. */
const kept = 40
const idForm = /^([a-z]+)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Fields whose values callers send back as they are. */
const sentBack = new Set(['nextCursor', 'storageUrl', 'uploadUrl', 'token', 'externalId', 'email', 'phone'])

/** @param barred values that must never be sent, such as the id of the token that everything is asked with */
export function newPool(barred: ReadonlySet<string>): Pool {
  const values = new Map<string, string[]>()
  const records = new Map<string, Record<string, string>>()
  const add = (name: string, value: string): void => {
    const list = values.get(name) ?? []
    if (barred.has(value) || list.includes(value)) return
    values.set(name, [...list, value].slice(-kept))
  }
  const harvest = (part: unknown, field = ''): void => {
    if (typeof part === 'string') {
      const prefix = idForm.exec(part)?.[1]
      if (prefix !== undefined) add(prefix, part)
      else if (sentBack.has(field)) add(field, part)
    } else if (Array.isArray(part)) part.slice(0, 5).forEach((each) => harvest(each, field))
    else if (typeof part === 'object' && part !== null) {
      if ('id' in part && typeof part.id === 'string') records.set(part.id, idsOf(part))
      for (const [name, value] of Object.entries(part)) harvest(value, name)
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
    namedBy: (id) => records.get(id) ?? {},
    harvest: (body) => harvest(body),
  }
}

const idsOf = (record: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && idForm.test(entry[1])),
  )
