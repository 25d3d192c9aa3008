import { expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { randomOf } from '../testing/random.ts'

const { organization } = await testApp()
const histories = 200

interface Body {
  id: string
  emails: { value: string }[]
  tags: string[]
  createdAt: string
  updatedAt: string
}

/** A contact of a history, and one with the same edits that is never merged. */
interface Subject {
  readonly id: string
  readonly twin: string
}

/**
 * Runs random edits, merges and unmerges of three contacts, and undoes all merges in the end. Returns the contacts, each with what it
 * should be.
 */
async function runHistory({ call }: Caller, seed: number): Promise<[Body, Body][]> {
  const { of: one, chance } = randomOf(seed)
  let count = 0
  const fresh = (): string => `${seed}-${(count += 1)}`
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const answer = await call(method, path, body)
    expect([method, path, seed, answer.status, answer.body.error]).toEqual([method, path, seed, expect.any(Number), undefined])
    return answer.body
  }
  const get = (id: string): Promise<Body> => ask('GET', `/v1/contacts/${id}`)

  /** Values are new, since a value that the contact has already would be no change. */
  const randomEdit = (): ((contact: Body) => object) => {
    const [field, value] = [one(['firstName', 'lastName', 'jobTitle', 'source', 'tags', 'emails', 'address']), fresh()]
    if (field === 'tags') return ({ tags }) => ({ tags: [...tags, value] })
    if (field === 'emails') return ({ emails }) => ({ emails: [...emails, { value: `${value}@example.com` }] })
    return () => ({ [field]: field === 'address' ? { city: value } : value })
  }
  const edit = async ({ id, twin }: Subject): Promise<void> => {
    const change = randomEdit()
    for (const each of [id, twin]) await ask('PATCH', `/v1/contacts/${each}`, change(await get(each)))
    if (chance(0.3)) {
      const refusal = { channel: one(['email', 'sms']), state: one(['granted', 'denied']), source: fresh() }
      for (const each of [id, twin]) await ask('POST', `/v1/contacts/${each}/consent`, refusal)
    }
  }

  const subjects: Subject[] = []
  for (const name of ['a', 'b', 'c']) {
    const body = {
      email: `${name}${seed}@example.com`,
      tags: [`of ${name}`],
      ...(chance(0.5) && { source: name, language: 'en', doNotContact: chance(0.5) }),
    }
    const [contact, twin] = [await ask('POST', '/v1/contacts', body), await ask('POST', '/v1/contacts', body)]
    subjects.push({ id: contact.id, twin: twin.id })
  }
  for (const subject of subjects) if (chance(0.5)) await edit(subject)

  /** The merges that can be undone: the merged contact, its former body, and the contact in which it is. */
  const merges: { merged: Subject; before: Body; into: Subject; survivorBefore: Body; isUnchanged: boolean }[] = []
  const live = (): Subject[] => subjects.filter((subject) => !merges.some(({ merged }) => merged === subject))
  const undo = async (at: number): Promise<void> => {
    const [entry] = merges.splice(at, 1)
    if (entry === undefined) throw new Error('there is no such merge')
    const { merged, before, into, survivorBefore, isUnchanged } = entry
    const { contact, restored, kept } = await ask('POST', `/v1/contacts/${into.id}/unmerge`, { mergedId: merged.id })
    expect(restored).toEqual(before)
    // The contact was then with this one.
    for (const later of merges.slice(at)) if (later.into === into) later.isUnchanged = false
    if (isUnchanged && at === merges.length) expect([contact, kept.fields]).toEqual([survivorBefore, []])
  }
  const undoable = (): number[] => merges.flatMap(({ into }, at) => (live().includes(into) ? [at] : []))
  const change = async (subject: Subject): Promise<void> => {
    for (const merge of merges) if (merge.into === subject) merge.isUnchanged = false
    await edit(subject)
    originals.delete(subject)
  }
  const originals = new Map<Subject, Body>()
  for (const subject of subjects) originals.set(subject, await get(subject.id))
  for (let step = 0; step < 5; step += 1) {
    const into = one(live())
    const others = live().filter((subject) => subject !== into)
    if (others.length > 0 && chance(0.5)) {
      const merged = one(others)
      const [survivorBefore, before] = [await get(into.id), await get(merged.id)]
      const field = one(['firstName', 'source', 'email', 'address'])
      const fields = chance(0.5) ? { [field]: one([into, merged]).id } : {}
      await ask('POST', `/v1/contacts/${into.id}/merge`, { otherIds: [merged.id], fields })
      merges.push({ merged, before, into, survivorBefore, isUnchanged: true })
    } else if (undoable().length > 0 && chance(0.4)) {
      await undo(one(undoable()))
    } else {
      await change(one(live()))
    }
  }
  while (merges.length > 0) await undo(one(undoable()))
  const found: [Body, Body][] = []
  for (const subject of subjects) {
    const contact = await get(subject.id)
    const { id, createdAt, updatedAt } = contact
    found.push([contact, originals.get(subject) ?? { ...(await get(subject.twin)), id, createdAt, updatedAt }])
  }
  return found
}

it(`${histories} random histories leave each contact with its own values and edits`, { timeout: 900_000 }, async () => {
  const caller = await organization()
  for (let seed = 1; seed <= histories; seed += 1) {
    for (const [contact, expected] of await runHistory(caller, seed)) expect([seed, contact]).toEqual([seed, expected])
  }
})
