import type { Random } from './random.ts'

/** What was seen in replies and can be sent back: ids by their prefix, other values by the name of their field. */
export interface Pool {
  add(name: string, value: string): void
  /** Undefined when nothing of that name was ever seen. */
  draw(name: string, random: Random): string | undefined
  /** Forgets a value that is no more, unless it is the last one of its name. */
  drop(name: string, value: string): void
  /** The base of a source that was seen. */
  baseOf(id: string): string | undefined
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
  const bases = new Map<string, string>()
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
      const { id, baseId } = part as { id?: unknown; baseId?: unknown }
      if (typeof id === 'string' && typeof baseId === 'string') bases.set(id, baseId)
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
    baseOf: (id) => bases.get(id),
    harvest: (body) => harvest(body),
  }
}
