import { isDeepStrictEqual } from 'node:util'
import { keysInRow, keysOfContact, type MatchKey } from './match-key.ts'
import { identityAfter, identityInRow, identityOf, type Identity, type SamePeople } from './same-person.ts'
import type { ContactRow } from '../contacts/record.ts'
import type { ImportRow } from './apply.ts'

/** A key that a contact had before its row, which does not name it. */
export interface FormerKey {
  readonly key: string
  /** Identity of the contact after its row. */
  readonly identity: Identity
}

/** The contacts that rows of the file mean, as these rows leave them: a dry run does not change the database. */
export interface MeantContacts {
  /** Adds the contact of a row. Returns its former keys. */
  add(row: ImportRow, before: ContactRow): readonly string[]
  /** Returns a contact as earlier rows leave it. */
  identityOf(contact: ContactRow): Identity
  /** Returns whether a contact of an earlier row had one of the keys of a row and is the same person. */
  have(keys: readonly MatchKey[], row: ImportRow, samePeople: SamePeople): Promise<boolean>
}

/** @param stored former keys of the rows that an interrupted job has imported */
export function meantContacts(stored: readonly FormerKey[]): MeantContacts {
  const identities = new Map<string, Identity>()
  const withFormerKey = new Map<string, Identity[]>()
  const addFormerKey = ({ key, identity }: FormerKey): void => {
    const others = withFormerKey.get(key)
    if (others === undefined) withFormerKey.set(key, [identity])
    else others.push(identity)
  }
  const presentIdentity = (contact: ContactRow): Identity => identities.get(contact.id) ?? identityOf(contact)
  stored.forEach(addFormerKey)
  return {
    add({ values, keys }, before) {
      const identity = identityAfter(values, presentIdentity(before))
      if (!isDeepStrictEqual(identity, identityOf(before))) identities.set(before.id, identity)
      const named = new Set(keysInRow(values, keys))
      const former = keysOfContact(before).flatMap(({ text }) => (named.has(text) ? [] : [text]))
      for (const key of former) addFormerKey({ key, identity })
      return former
    },
    identityOf: presentIdentity,
    async have(keys, { values }, samePeople) {
      for (const key of keys) {
        const same = await samePeople(key, identityInRow(values), withFormerKey.get(key.text) ?? [])
        if (same.length > 0) return true
      }
      return false
    },
  }
}
