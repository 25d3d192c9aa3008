import type { ClientBase } from 'pg'
import { deallocate } from './pg-wire.ts'

/** Names of prepared statements, which a connection parses and plans once. */
export interface StatementNames {
  /** Returns the name of the statement; undefined for one too long to keep. */
  of(text: string): string | undefined
  /** Deallocates on an idle connection the statements whose names are no longer in use. */
  tidy(client: ClientBase): void
  /** Drops all names, so that each connection prepares each statement again. */
  renew(): void
}

/** No statement is prepared: the next transaction of the connection may run in another session. */
export const unnamed: StatementNames = { of: () => undefined, tidy: () => undefined, renew: () => undefined }

/** A plan takes many times the memory of its text, on every connection. Texts beyond this length are long lists of values. */
const maxLength = 20_000

/** Keeps the names of the `max` statements used most recently. */
export function statementNames(max: number): StatementNames {
  /** Name by text, least recently used first. */
  const names = new Map<string, string>()
  const inUse = new Set<string>()
  const tidied = new WeakMap<ClientBase, number>()
  let made = 0
  let dropped = 0

  const drop = (text: string, name: string): void => {
    names.delete(text)
    inUse.delete(name)
    dropped += 1
  }

  return {
    of(text) {
      if (text.length > maxLength) return undefined
      const known = names.get(text)
      // A name is never given twice, so a connection that still has a dropped one cannot mistake it for another.
      const name = known ?? `s${(made += 1)}`
      if (known === undefined) inUse.add(name)
      else names.delete(text)
      names.set(text, name)
      const [oldest] = names.size > max ? names : []
      if (oldest !== undefined) drop(...oldest)
      return name
    },
    renew() {
      for (const [text, name] of names) drop(text, name)
    },
    tidy(client) {
      if (tidied.get(client) === dropped) return
      tidied.set(client, dropped)
      deallocate(client, (name) => !inUse.has(name))
    },
  }
}
